import type { MessageEvent } from "../chat/index.ts";
import type { Db } from "../storage/index.ts";
import { joinParts } from "./collect.ts";
import { findOpenThought, lockCollection } from "./message.store.ts";
import { toWish } from "./messages.ts";
import { dropped, type Outcome } from "./outcome.ts";
import { type Scene, threadOf } from "./scene.ts";
import { isStopWord, stopHere } from "./stop.ts";

/** Whether talk in a group means us all the same: a control word, or a part of a thought that began by addressing us. */
export async function concernsUs(talk: Talk): Promise<boolean> {
  return isStopWord(talk.event) || (await openThought(talk)) !== undefined;
}

export interface Talk {
  readonly db: Db;
  readonly connectionId: string;
  readonly event: MessageEvent;
  readonly now: Date;
}

/** In a group only the first photo of an album and the first part of a paste carry our name. */
export async function takeTalk(scene: Scene<MessageEvent>): Promise<Outcome> {
  const { unit, deps, connectionId, event, place } = scene;
  if (isStopWord(event)) return stopHere(scene, "silent");
  if (event.collect) await lockCollection(unit.db, place.id, event.collect);
  const messageId = await openThought({ db: unit.db, connectionId, event, now: deps.clock.now() });
  if (messageId === undefined) return dropped("not_addressed");
  const waitMs = event.collect?.waitMs ?? null;
  return (await joinParts(scene, toWish(event, null), { messageId, waitMs })) ?? dropped("not_addressed");
}

function openThought({ db, connectionId, event, now }: Talk): Promise<string | undefined> {
  const { author, place, collect } = event;
  const where = { connectionId, channel: place.channel, thread: threadOf(event), userId: author.id };
  return findOpenThought(db, where, collect, now);
}
