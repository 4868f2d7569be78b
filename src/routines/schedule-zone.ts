/** Milliseconds. Walls are the local date and time of a zone, written as if they were UTC. */
export const minute = 60_000;
export const day = 24 * 60 * minute;

interface Change {
  /** The first instant of the new offset. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** A time without change of offset in a zone. */
export interface Stretch {
  /** Its first instant. */
  readonly start: number;
  /** The first instant after it. */
  readonly end: number;
  readonly offset: number;
  /** The offset before `start`; the same where nothing changed there. */
  readonly before: number;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offset at the beginning of a UTC day, by day number. */
  readonly offsets: Map<number, number>;
  /** The change within a UTC day. */
  readonly changes: Map<number, Change>;
}

/** The wall of an instant. */
export function wallOf(zone: string, instant: number): number {
  return instant + offsetAt(openZone(zone), instant);
}

/**
 * The instant of a wall. One that the clocks leave out is as much later as they jump (RFC 5545, Temporal's
 * "compatible"); of one that they show twice it is the first.
 */
export function instantOf(zone: string, wall: number): number {
  for (const stretch of stretches(zone, wall - 2 * day, wall + 2 * day)) {
    const end = stretch.end + stretch.offset;
    const gapStart = stretch.start + stretch.before;
    if (wall >= gapStart && wall < stretch.start + stretch.offset) return wall - stretch.before;
    if (wall < end) return wall - stretch.offset;
  }
  throw new RangeError(`No instant for ${new Date(wall).toISOString()} in ${zone}`);
}

/** The zone's stretches that have an instant in [from, upTo), in order; the last ends at `upTo`. */
export function* stretches(zone: string, from: number, upTo: number): Generator<Stretch> {
  const known = openZone(zone);
  // The offset before a stretch matters for as long as a jump of the clocks is: at most a day.
  let start = from - 2 * day;
  let offset = offsetAt(known, start);
  let before = offset;
  while (start < upTo) {
    const change = nextChange(known, start, upTo);
    const end = change?.at ?? upTo;
    if (end > from) yield { start, end, offset, before };
    if (change === undefined) return;
    start = change.at;
    before = change.before;
    offset = change.after;
  }
}

function nextChange(zone: Zone, after: number, upTo: number): Change | undefined {
  for (let number = Math.floor(after / day); number * day < upTo; number++) {
    const change = changeOn(zone, number);
    if (change !== undefined && change.at > after && change.at < upTo) return change;
  }
  return undefined;
}

// No zone changes its offset twice within one day.
function changeOn(zone: Zone, number: number): Change | undefined {
  const before = dayOffset(zone, number);
  const after = dayOffset(zone, number + 1);
  if (before === after) return undefined;
  const known = zone.changes.get(number);
  if (known !== undefined) return known;
  let low = number * day;
  let high = low + day;
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (measure(zone.format, middle) === before) low = middle;
    else high = middle;
  }
  const change = { at: high, before, after };
  zone.changes.set(number, change);
  return change;
}

function offsetAt(zone: Zone, instant: number): number {
  const number = Math.floor(instant / day);
  const change = changeOn(zone, number);
  if (change === undefined) return dayOffset(zone, number);
  return instant < change.at ? change.before : change.after;
}

function dayOffset(zone: Zone, number: number): number {
  const known = zone.offsets.get(number);
  if (known !== undefined) return known;
  const offset = measure(zone.format, number * day);
  zone.offsets.set(number, offset);
  return offset;
}

/** "12/4/2026, GMT-03:30": the offset is what the runtime's own zone data says. */
function measure(format: Intl.DateTimeFormat, instant: number): number {
  const parts = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(instant));
  if (parts === null) throw new RangeError("This runtime tells no offsets of time zones");
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = parts;
  const size = (Number(hours) * 60 + Number(minutes)) * minute + Number(seconds) * 1000;
  return sign === "-" ? -size : size;
}

// What is known of zones never changes while the program runs; asking the runtime costs a thousand times more.
// Bounded: about 30 kB a zone.
const zones = new Map<string, Zone>();
const mostZones = 50;
const mostDays = 4000;

function openZone(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined && known.offsets.size <= mostDays) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  const zone = { format, offsets: new Map<number, number>(), changes: new Map<number, Change>() };
  if (known === undefined && zones.size >= mostZones) zones.clear();
  zones.set(name, zone);
  return zone;
}
