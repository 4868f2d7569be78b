import { afterEach, beforeEach, test, vi } from "vitest";
import type { Address, Form, InboundEvent, KnownPlace, Post, Receipt } from "../../src/chat/index.ts";
import { type Ability, type AdapterHarness, contractCommands, recordingSink, type Stage } from "./adapter.harness.ts";

/** The stage of the running test, and what its adapter is told when it asks. */
export interface Scene {
  readonly stage: Stage;
  /** What the adapter hears of forms and places; a test sets them. */
  form: ((token: string, userId: string) => Form | undefined) | undefined;
  known: readonly KnownPlace[];
  /** Posts in the direct message, or where it is told, each with a key of its own. */
  send(post: Post, place?: Address): Promise<Receipt>;
  /** Starts the adapter; everything it hands over is kept in the list. */
  listen(): Promise<InboundEvent[]>;
}

/** A fresh stage for each test of a `describe`. */
export function everyTest(harness: AdapterHarness): Scene {
  let current: Stage | undefined;
  let keys = 0;
  const scene: Scene = {
    get stage(): Stage {
      if (current === undefined) throw new Error("there is a stage within tests only");
      return current;
    },
    form: undefined,
    known: [],
    send: (post, place = scene.stage.place) => {
      keys += 1;
      return scene.stage.adapter.post(place, post, `key-${keys}`);
    },
    listen: async () => {
      const { events, sink } = recordingSink();
      await scene.stage.adapter.start(sink);
      return events;
    },
  };
  beforeEach(async () => {
    scene.form = undefined;
    scene.known = [];
    current = await harness.create({
      commands: contractCommands,
      known: async () => scene.known,
      form: async (token, userId) => scene.form?.(token, userId),
    });
  });
  afterEach(async () => {
    await current?.adapter.stop();
    await current?.[Symbol.asyncDispose]();
    current = undefined;
  });
  return scene;
}

/** What a platform is said to lack has no test, rather than a skipped one; that it really lacks it is a test of its own. */
export function testsWhere(harness: AdapterHarness) {
  return (...abilities: Ability[]) =>
    abilities.some((ability) => harness.lacks.includes(ability)) ? () => undefined : test;
}

/** A hook that the abilities of a test promise. */
export function given<T>(hook: T | undefined): T {
  if (hook === undefined) throw new Error("the stage lacks what this test needs");
  return hook;
}

export const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 10 });

export const says = (text: string, more: Partial<Post> = {}): Post => ({ text, notify: true, ...more });

export const compact = (text: string) => text.replace(/\s+/gu, "");

export function textOf(event: InboundEvent): string {
  return event.kind === "message" ? event.text : event.kind;
}

export function idIn(receipt: Receipt): string {
  if (receipt.outcome !== "delivered") throw new Error(`not delivered: ${JSON.stringify(receipt)}`);
  return receipt.messageId;
}

export const approve = { label: "Approve", token: "tok_approve_8f3k", style: "primary" } as const;
export const deny = { label: "Deny", token: "tok_deny_2c9x", style: "danger" } as const;
