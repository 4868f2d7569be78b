import type { ReachablePlace } from "../../places/index.ts";
import { type RoutineDestination, readWhen, type Schedule, type ScheduleProblem } from "../../routines/index.ts";
import { literally } from "../naming.ts";
import { readCall } from "./read-call.ts";

/** Where somebody writes, and where they may have reports go. */
export interface Surroundings {
  readonly home: { readonly placeId: string; readonly thread: string };
  readonly connectionId: string;
  /** The chat that "to me" means; null where there is none. */
  readonly dmId: string | null;
  readonly places: readonly ReachablePlace[];
}

export interface ReadWish {
  /** What is left: what should happen. */
  readonly instruction: string;
  readonly schedule: Schedule | null;
  /** Nothing but a call from outside starts it. */
  readonly isCalled: boolean;
  readonly problem: ScheduleProblem | null;
  readonly destinations: readonly RoutineDestination[];
}

/** Takes "every weekday at 8:30 post the open incidents to #ops" apart. What is not clearly a time or a place stays in the text. */
export function readWish(text: string, zone: string, now: Date, around: Surroundings): ReadWish {
  const first = readPlace(text.trim(), around);
  const call = readCall(first.rest);
  const when = call === null ? readWhen(first.rest, { zone, now }) : ({ kind: "unread" } as const);
  const rest = call?.rest ?? (when.kind === "read" ? when.rest : first.rest);
  const second = first.found === null ? readPlace(rest, around) : { rest, found: first.found };
  return {
    instruction: withoutJoint(second.rest),
    schedule: when.kind === "read" ? when.schedule : null,
    isCalled: call !== null,
    problem: when.kind === "problem" ? when.problem : null,
    destinations: second.found ?? [],
  };
}

interface PlaceRead {
  readonly rest: string;
  /** Null where no place is named. */
  readonly found: readonly RoutineDestination[] | null;
}

/** A place at the end of a text. */
function readPlace(text: string, { home, connectionId, dmId, places }: Surroundings): PlaceRead {
  const whole = text.replace(/[\s.!]+$/u, "");
  const here = /[\s,]+(?:(?:to|in)\s+)?here$/iu.exec(whole);
  if (here) return { rest: whole.slice(0, here.index), found: [] };
  const me = /[\s,]+to\s+me(?:\s+(?:directly|privately|in\s+private))?$/iu.exec(whole);
  if (me && dmId !== null) {
    const isHome = dmId === home.placeId;
    return { rest: whole.slice(0, me.index), found: isHome ? [] : [{ placeId: dmId, thread: "", ownThread: false }] };
  }
  const found = namedAtEnd(whole, { connectionId, places });
  if (found === null) return { rest: text, found: null };
  const isHome = found.place.id === home.placeId && home.thread === "";
  return { rest: found.rest, found: isHome ? [] : [{ placeId: found.place.id, thread: "", ownThread: false }] };
}

/** The place that a text ends with; null where there is none, or several that are equally near. */
function namedAtEnd(
  text: string,
  { connectionId, places }: Pick<Surroundings, "connectionId" | "places">,
): { readonly place: ReachablePlace; readonly rest: string } | null {
  const matches = places.flatMap((place) => {
    if (place.title === null || bare(place.title) === "") return [];
    const match = new RegExp(`[\\s,]+(?:to|in|into)\\s+(?:the\\s+)?(#?)${literally(bare(place.title))}$`, "iu").exec(
      text,
    );
    return match === null ? [] : [{ place, rest: text.slice(0, match.index), isChannel: match[1] === "#" }];
  });
  // "To dev ops" is not to "ops".
  const longest = Math.min(...matches.map(({ rest }) => rest.length));
  const named = matches.filter(({ rest }) => rest.length === longest);
  const channels = named.filter(({ place, isChannel }) => isChannel && place.kind === "channel");
  const meant = channels.length > 0 ? channels : named;
  const beside = meant.filter(({ place }) => place.connectionId === connectionId);
  const [only, another] = beside.length > 0 ? beside : meant;
  return another === undefined ? (only ?? null) : null;
}

function bare(title: string): string {
  return title.trim().replace(/^#/u, "");
}

/** What joined the parts and joins nothing any more. */
function withoutJoint(text: string): string {
  const rest = text.replace(/^[\s,;:.–—-]+|[\s,;:–—-]+$/gu, "").replace(/^(?:please|and)\s+/iu, "");
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

const longestName = 40;
const opening =
  /^(?:please\s+)?(?:post|send|give|tell|show|write|report|list|summari[sz]e|make|check|remind)(?:\s+(?:me|us|everyone|everybody))?(?:\s+(?:of|about|on|to|that|what|with))?(?:\s+(?:the|a|an|my|our|all))?\s+/iu;

/** A short name for what should happen: its first words, without the verb where something is left. */
export function nameFor(instruction: string, taken: readonly string[]): string {
  const [clause = ""] = instruction.split(/[\n.;:!?]|,\s/u, 1);
  const bare = clause.replace(opening, "").trim();
  const words = (bare === "" ? clause : bare).trim().split(/\s+/u);
  let name = words.shift()?.slice(0, longestName) ?? "";
  for (const word of words) {
    if (name.length + 1 + word.length > longestName) break;
    name += ` ${word}`;
  }
  name = name.charAt(0).toUpperCase() + name.slice(1);
  const isTaken = (wanted: string) => taken.some((each) => each.toLowerCase() === wanted.toLowerCase());
  if (name === "" || !isTaken(name)) return name;
  for (let nth = 2; ; nth += 1) if (!isTaken(`${name} ${nth}`)) return `${name} ${nth}`;
}
