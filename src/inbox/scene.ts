import type { Button, InboundEvent, Link, OnlyFor, Post, Select } from "../chat/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Identity, Person } from "../people/index.ts";
import type { Place } from "../places/index.ts";
import type { Unit } from "../storage/index.ts";
import type { Words } from "../words/index.ts";
import { asTypedHere } from "./command-words.ts";
import type { InboxDeps, InboxLimits } from "./deps.ts";
import type { Upload } from "./uploads.ts";

/** How names are shown in everything the inbox says. */
export { plain } from "../chat/index.ts";

/** What somebody does or says now; edits and deletions are about what was said before. */
export type AuthoredEvent = Exclude<InboundEvent, { kind: "edit" | "deletion" }>;

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
  /** Whether something was said to the giver alone: it takes the place of a platform's "thinking". */
  readonly told: { privately: boolean };
  /** A file that was given for us to keep, fetched before. */
  readonly upload?: Upload | undefined;
}

/** A scene in which a known person acts. */
export type PersonScene<Event extends AuthoredEvent = AuthoredEvent> = Scene<Event> & { readonly person: Person };

export function byPerson<Event extends AuthoredEvent>(scene: Scene<Event>): scene is PersonScene<Event> {
  return scene.person !== null;
}

export interface SayOptions {
  readonly buttons?: readonly (readonly Button[])[] | undefined;
  readonly selects?: readonly Select[] | undefined;
  readonly links?: readonly Link[] | undefined;
  /** True where somebody should be notified. */
  readonly notify?: boolean | undefined;
  /** Tells two things said about one event apart. */
  readonly part?: string | undefined;
  readonly purpose?: "notice" | "card" | undefined;
  /** True for what concerns everybody there. Else a command or a button is answered to its giver alone, where the platform can. */
  readonly toAll?: boolean | undefined;
  readonly asksReply?: boolean | undefined;
}

/** Says something in the place of the event, through the outbox, once per event and part. Gives back the posts it became. */
export async function say(scene: Scene, text: string, options: SayOptions = {}): Promise<readonly string[]> {
  const onlyFor = options.toAll ? undefined : giverAlone(scene);
  if (onlyFor !== undefined) scene.told.privately = true;
  const { postIds } = await scene.deps.outbox.enqueue(scene.unit, {
    op: "post",
    post: { ...toPost(scene, text, options), onlyFor },
    to: destination(scene),
    purpose: options.purpose ?? "notice",
    lane: `place:${scene.place.id}`,
    dedupKey: `inbox:${scene.connectionId}:${scene.event.key}:${options.part ?? "said"}`,
  });
  return postIds;
}

/** The one who gave a command or used a button in a shared place, where others need not read along. */
function giverAlone(scene: Scene): OnlyFor | undefined {
  const { event } = scene;
  const isUse = event.kind === "command" || event.kind === "button" || event.kind === "form";
  if (!isUse || scene.place.kind === "dm" || !canBePrivate(scene)) return undefined;
  return { userId: event.author.id, interaction: event.interaction };
}

/** Whether something can be said here that nobody else reads. */
export function canBePrivate({ deps, connectionId, place }: Pick<Scene, "deps" | "connectionId" | "place">): boolean {
  return place.kind === "dm" || (deps.adapters.get(connectionId)?.capabilities.privatePosts ?? false);
}

function toPost(scene: Scene, text: string, options: SayOptions): Post {
  const { event, place } = scene;
  // In a direct message everything is meant for the one person there.
  const answers = place.kind !== "dm" && (event.kind === "message" || event.kind === "command");
  return {
    text: asTypedHere(scene, text),
    notify: options.notify ?? false,
    buttons: options.buttons,
    selects: options.selects,
    links: options.links,
    replyTo: answers ? event.messageId : undefined,
    asksReply: options.asksReply,
  };
}

/** Where the event happened: an answer belongs there, whatever else goes on (the thread is the message's, not the session's). */
export function destination(scene: Scene): Destination {
  const { channel, thread } = scene.event.place;
  return { connectionId: scene.connectionId, address: { channel, thread }, placeKind: scene.place.kind };
}

/** A command of the platform's own, whose giver sees whether it was taken. */
export function isNative(event: InboundEvent): boolean {
  return event.kind === "command" && event.interaction !== undefined;
}

/** The thread of an event as conversations store it. */
export function threadOf(event: { readonly place: { readonly thread?: string | undefined } }): string {
  return event.place.thread ?? "";
}
