/** Time as the rest of the code sees it, so that a test can hold it still. Instants are `Date`, durations are milliseconds. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
