/** What people are told when a task ends, and when it ends otherwise than hoped. */
import { duration } from "./time.ts";

/** How long a task took; never nothing. */
export const took = (ms: number): string => duration(Math.max(1000, Math.round(ms / 1000) * 1000));
export const footer = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(" · ");
export const nothingToSay = (name: string) => `${name} is done and had nothing to add.`;
export const tryAgain = "Try again";

/** The bill of a conversation moved in the middle of it. */
export const continuingOn = { plan: "Continuing on the plan.", api_key: "Continuing on the API key." } as const;
export const memoryChanged = "My memory changed while this was starting.";

export const stopped = (by: string | null) => (by === null ? "Stopped." : `Stopped by ${by}.`);
export const stoppedFooter = (by: string | null) => (by === null ? "stopped" : `stopped by ${by}`);

export const restarted = (name: string) => `I restarted in the middle of this. Here is what ${name} had finished:`;
export const restartedEmpty = (name: string) =>
  `I restarted in the middle of this, before ${name} had finished anything.`;
export const hadFinished = (name: string) => `Here is what ${name} had finished:`;

/** For places where others read along. */
export const failedWithCode = (name: string, code: string, owner: string | null) =>
  `${name} couldn't finish (code ${code}). ${owner ?? "The owner"} has the details.`;
/** For the owner, about a task in another place. */
export const failedElsewhere = (name: string, place: string | null, code: string, detail: string) =>
  `${name} couldn't finish${place === null ? "" : ` in ${place}`} (code ${code}): ${detail}`;
export const failed = (name: string, detail: string) => `${name} couldn't finish: ${detail}`;

export const usageLimitUntil = (name: string, time: string) =>
  `${name} reached the plan's limit; it resets at ${time}. Your message waits.`;
export const usageLimitResets = (name: string, time: string) =>
  `${name} couldn't finish: the plan's limit is reached; it resets at ${time}.`;
export const usageLimit = (name: string, payer: "plan" | "api_key" | undefined) =>
  payer === "api_key"
    ? `${name} couldn't finish: what the API key may spend is used up.`
    : `${name} couldn't finish: the plan's limit is reached.`;
export const noAccount = (name: string) =>
  `${name} can't think yet: there is no model account. The owner sends /login in a direct message.`;
export const keyRejected = (name: string, payer: "plan" | "api_key" | undefined) =>
  payer === "plan"
    ? `${name} couldn't finish: the plan's sign-in is no longer accepted. The owner signs in again with /login.`
    : `${name} couldn't finish: the model's provider did not accept our key. The owner can set a new one with /login.`;
export const modelNotFound = (name: string) =>
  `${name} couldn't finish: the provider does not know the chosen model. The owner can choose another one.`;
export const contextFull = (name: string) =>
  `${name} couldn't finish: this conversation became too long. Begin a fresh one, or a new thread, and ask again.`;
export const unreachable = (name: string) => `${name} couldn't finish: the model cannot be reached right now.`;
export const overloaded = (name: string) => `${name} couldn't finish: the model has too much to do right now.`;
export const connectionLost = (name: string) => `${name} couldn't finish: lost the connection to the computer.`;
export const silent = (name: string, after: string) =>
  `${name} couldn't finish: nothing happened for ${after}, so I stopped it.`;
export const deadline = (name: string, after: string) =>
  `${name} couldn't finish: it took longer than ${after}, so I stopped it.`;
