import { clip, plain } from "../chat/index.ts";
import type { Db } from "../storage/index.ts";
import type { Words } from "../words/index.ts";
import type { KeptDraft, RoutineDraft } from "./drafts.ts";
import { type NamedPlace, namedPlaces } from "./face-places.store.ts";
import { nextTimes, type Reader, timesText, zoneName } from "./face-time.ts";
import type { Routine, RoutineDestination, RoutineTrigger } from "./types.ts";

const longestShown = 600;
const shownTimes = 3;

/** Where somebody looks from. */
export interface Here {
  readonly placeId: string;
  readonly thread: string;
}

type Placed = Pick<Routine, "destinations" | "home">;

/** Where reports go, in words; what was made here and names no place reports here. Titles of other places only where `all`. */
export async function whereText(
  db: Db,
  { destinations, home }: Placed,
  { here, all }: { readonly here: Here; readonly all: boolean },
  words: Words,
): Promise<readonly string[]> {
  const targets = destinations.length > 0 ? destinations : [{ ...home, ownThread: false }];
  const named = await namedPlaces(
    db,
    targets.map(({ placeId }) => placeId),
  );
  return targets.map((target) => {
    const { places } = words.routines;
    if (isSamePlace(target, here) && !target.ownThread) return places.here;
    if (target.placeId !== here.placeId && !all) return places.elsewhere;
    return destinationText(target, named.get(target.placeId), words);
  });
}

export function destinationText(
  { thread, ownThread }: Pick<RoutineDestination, "thread" | "ownThread">,
  place: NamedPlace | undefined,
  words: Words,
): string {
  const { places } = words.routines;
  const name = placeText(place, words);
  if (ownThread) return places.own(name);
  return thread === "" || place?.kind === "dm" ? name : places.thread(name);
}

/** A place as people call it, as Markdown. */
export function placeText(place: Omit<NamedPlace, "id"> | undefined, { routines }: Words): string {
  const { places } = routines;
  if (place === undefined) return places.unnamed;
  if (place.kind === "dm") return place.person === null ? places.unnamed : places.dm(plain(place.person));
  if (place.title === null) return places.unnamed;
  return place.kind === "channel" ? places.channel(plain(place.title)) : plain(place.title);
}

export function isSamePlace(one: Here, other: Here): boolean {
  return one.placeId === other.placeId && one.thread === other.thread;
}

/** When it is due, with the zone where it is not the reader's anyway. */
export function triggerText(
  trigger: RoutineTrigger | null,
  timezone: string,
  words: Words,
  { readerZone }: { readonly readerZone?: string | null } = {},
): string {
  const { draft } = words.routines;
  if (trigger === null) return draft.noTime;
  if (trigger.kind === "webhook") return draft.onCall;
  const when = words.when.schedule(trigger.schedule, timezone);
  return readerZone === timezone ? when : draft.zone(when, zoneName(timezone));
}

export interface DraftFacts {
  readonly kept: Pick<KeptDraft, "routineId" | "draft">;
  /** Set where several colleagues could do it. */
  readonly teammateName: string | null;
  readonly where: readonly string[];
  readonly now: Date;
  /** For whom it is drawn. */
  readonly reader: Reader;
  /** What is wrong with it, in a sentence. */
  readonly problem?: string | undefined;
}

/** A routine that is about to be made or changed, as it would be. */
export function draftText(facts: DraftFacts, words: Words): string {
  const { kept, where, problem } = facts;
  const { draft } = kept;
  const all = words.routines.draft;
  const name = draft.name === "" ? all.noName : plain(draft.name);
  const heading = all.heading(name, where.join(", "), triggerText(draft.trigger, draft.timezone, words));
  const lines = [heading, ...factLines(facts, words)];
  return [
    lines.join("\n"),
    ...(draft.instruction === "" ? [] : [quoted(draft.instruction)]),
    ...(problem === undefined ? [] : [problem]),
  ].join("\n\n");
}

function factLines({ kept, teammateName, now, reader }: DraftFacts, words: Words): string[] {
  const { draft } = kept;
  const all = words.routines.draft;
  const isScheduled = draft.trigger?.kind === "schedule";
  const next = nextText(draft, now, reader);
  return [
    ...(next === undefined ? [] : [all.next(next)]),
    ...(isScheduled && draft.timezone === "UTC" && reader.timezone === null ? [all.zoneGuessed] : []),
    ...(isScheduled ? [all.ifMissed[draft.missed]] : []),
    ...(draft.atLimit === "skip" ? [all.atLimit.skip] : []),
    ...(draft.kind === "check_in" ? [all.checkIn] : []),
    ...(teammateName === null ? [] : [all.by(plain(teammateName))]),
    ...(draft.newSecret ? [all.newSecret] : []),
  ];
}

function nextText({ trigger, timezone }: RoutineDraft, now: Date, reader: Reader): string | undefined {
  if (trigger?.kind !== "schedule") return undefined;
  const times = nextTimes(trigger.schedule, timezone, now, shownTimes);
  return times.length === 0 ? undefined : timesText(trigger.schedule, timezone, times, reader.locale);
}

/** What still keeps a draft from being made, for which a button stands there. */
export function missingIn({ trigger, instruction }: RoutineDraft): "when" | "what" | null {
  if (trigger === null) return "when";
  return instruction === "" ? "what" : null;
}

export function quoted(instruction: string): string {
  return `> ${plain(clip(instruction, longestShown))}`;
}

export function isClipped(instruction: string): boolean {
  return instruction.length > longestShown;
}
