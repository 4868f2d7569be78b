import { type Button, type InboundEvent, type Post, plainDocument, toMarkdown } from "../chat/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Identity, Person } from "../people/index.ts";
import type { Place } from "../places/index.ts";
import type { Unit } from "../storage/index.ts";
import type { Words } from "../words/index.ts";
import type { InboxDeps, InboxLimits } from "./deps.ts";

/** Events that somebody caused; a deletion has no author. */
export type AuthoredEvent = Exclude<InboundEvent, { kind: "deletion" }>;

/** An event with everything that is known about who did it and where. */
export interface Scene<Event extends AuthoredEvent = AuthoredEvent> {
  readonly unit: Unit;
  readonly deps: InboxDeps;
  readonly limits: InboxLimits;
  readonly connectionId: string;
  readonly event: Event;
  readonly identity: Identity;
  /** Null for a stranger. */
  readonly person: Person | null;
  readonly place: Place;
  readonly words: Words;
}

/** A scene in which a known person acts. */
export type PersonScene<Event extends AuthoredEvent = AuthoredEvent> = Scene<Event> & { readonly person: Person };

export function byPerson<Event extends AuthoredEvent>(scene: Scene<Event>): scene is PersonScene<Event> {
  return scene.person !== null;
}

export interface SayOptions {
  readonly buttons?: readonly (readonly Button[])[] | undefined;
  /** True where somebody should be notified. */
  readonly notify?: boolean | undefined;
  /** Tells two things said about one event apart. */
  readonly part?: string | undefined;
  readonly purpose?: "notice" | "card" | undefined;
}

/** Says something in the place of the event, through the outbox, once per event and part. */
export async function say(scene: Scene, text: string, options: SayOptions = {}): Promise<void> {
  await scene.deps.outbox.enqueue(scene.unit, {
    op: "post",
    post: toPost(scene, text, options),
    to: destination(scene),
    purpose: options.purpose ?? "notice",
    lane: `place:${scene.place.id}`,
    dedupKey: `inbox:${scene.connectionId}:${scene.event.key}:${options.part ?? "said"}`,
  });
}

function toPost(scene: Scene, text: string, options: SayOptions): Post {
  const { event, place } = scene;
  // In a direct message everything is meant for the one person there.
  const answers = place.kind !== "dm" && (event.kind === "message" || event.kind === "command");
  return {
    text,
    notify: options.notify ?? false,
    buttons: options.buttons,
    replyTo: answers ? event.messageId : undefined,
  };
}

/** Where the event happened: an answer belongs there, whatever else goes on (the thread is the message's, not the session's). */
export function destination(scene: Scene): Destination {
  const { channel, thread } = scene.event.place;
  return { connectionId: scene.connectionId, address: { channel, thread }, placeKind: scene.place.kind };
}

/** The thread of an event as conversations store it. */
export function threadOf(event: { readonly place: { readonly thread?: string | undefined } }): string {
  return event.place.thread ?? "";
}

/** A name or title from outside as Markdown that shows it letter by letter: a name cannot be a link or a mass ping. */
export function plain(name: string): string {
  return toMarkdown(plainDocument(name.replace(/\s+/gu, " ")));
}
