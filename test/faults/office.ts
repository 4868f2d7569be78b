import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { gate, type ModelRequest, type Reply, say, waitFor } from "../fakes/model/index.ts";
import type { Person, SeenMessage } from "../fakes/telegram/index.ts";
import { type BreakpointSpec, setBreakpoint } from "../support/breakpoint.ts";
import type { Machine } from "../support/machine.ts";
import type { ShipmateProcess } from "../support/shipmate.ts";
import type { World } from "../support/world.ts";
import type { Asked, Guest, Pressed, Shown, Sign, Try, Venue } from "./venue.ts";
import { openDiscord } from "./venue-discord.ts";
import { openSlack } from "./venue-slack.ts";
import { openTelegram } from "./venue-telegram.ts";

/** Every platform, for suites that run on all of them. */
export const venues: readonly { readonly platform: string; open(): Promise<Venue> }[] = [
  { platform: "Telegram", open: openTelegram },
  { platform: "Discord", open: openDiscord },
  { platform: "Slack", open: openSlack },
];

/** What the model answers to a question; `turn` counts the turns in which it was asked, from 1. Undefined: the plain answer. */
export type Plan = (request: ModelRequest, turn: number) => Reply | undefined;

/** One Shipmate that is killed and started again, case after case, on the same database and folder. */
export interface Office<W extends Machine = World, M extends Shown = SeenMessage, P = Person> extends AsyncDisposable {
  readonly world: W;
  readonly venue: Venue<W, M, P>;
  readonly shipmate: ShipmateProcess;
  /** Kills it as `kill -9` does: nothing of ours runs any more, Codex and its commands are left behind. */
  kill(): Promise<void>;
  /** Tells it to stop, as a service manager does; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Starts the shipped command again, and waits until it is ready. */
  restart(): Promise<void>;
  /** Holds the database at one write, kills the writer there, and lets the write get lost or through. */
  killAt(spec: BreakpointSpec, ask: () => void | Promise<void>, outcome: WriteOutcome): Promise<void>;
  /** Kills Codex and what it started; ours goes on. */
  killCodex(): Promise<void>;
  /** Somebody new with a question nobody asked before. */
  visit(plan?: Plan): Promise<Visit<W, M, P>>;
}

/** An office on any platform. */
export type AnyOffice = Office<Machine, Shown, unknown>;
export type AnyVisit = Visit<Machine, Shown, unknown>;

/** What became of the write in whose middle the process died. */
export type WriteOutcome = "lost" | "committed";

export interface Visit<W extends Machine = World, M extends Shown = SeenMessage, P = Person> {
  readonly office: Office<W, M, P>;
  readonly person: P;
  readonly id: string;
  /** Sends the question where people usually do, or in a place that is named. */
  ask(place?: number | string): void;
  /** What the bot says there since the question, oldest first. */
  said(): readonly M[];
  /** The next or present message of the bot since the question that matches; the second or third one where that is asked for. */
  hears(text: RegExp, nth?: number): Promise<M>;
  press(message: M, label: string): Pressed;
  /** Every try to post the answer, whatever became of it. */
  posts(): readonly Try[];
  signs(): readonly string[];
  leftovers(): readonly unknown[];
  /** The turns in which the model was asked this question. */
  turns(): number;
  /** Resolves once Codex wrote these words down with the question: only then they outlive it. */
  kept(words: string): Promise<void>;
  readonly answer: RegExp;
  readonly labelled: RegExp;
}

export const restarted = /^I restarted in the middle of this/;
const waitForDisk = { timeout: 15_000, interval: 20 };
const label = "♻︎ This may be a repeat: I'm not sure the first one arrived.";

export interface OfficeOptions {
  /** The one it brings along instead of the one of the tests; nothing can be held there. */
  readonly database?: "built in" | undefined;
}

export async function openOffice(options: OfficeOptions = {}): Promise<Office> {
  return openOfficeAt(await openTelegram(), options);
}

export async function openOfficeAt<W extends Machine, M extends Shown, P>(
  venue: Venue<W, M, P>,
  { database }: OfficeOptions = {},
): Promise<Office<W, M, P>> {
  const { world } = venue;
  const start = () => world.start(database === undefined ? {} : { DATABASE_URL: "" });
  let shipmate = await start();
  await venue.claim();
  const plans = new Map<string, Plan>();
  let visits = 0;
  let running = true;

  world.model.use((request) => {
    const id = askedIn(request);
    return plans.get(id)?.(request, turnsOf(world, id).length) ?? [say(answerTo(id))];
  });

  const office: Office<W, M, P> = {
    world,
    venue,
    get shipmate() {
      return shipmate;
    },
    async kill() {
      running = false;
      await shipmate.end("SIGKILL");
    },
    stop() {
      running = false;
      return shipmate.end("SIGTERM");
    },
    async restart() {
      shipmate = await start();
      running = true;
    },
    async killAt(spec, ask, outcome) {
      await using breakpoint = await setBreakpoint(world.databaseUrl, spec);
      await ask();
      await breakpoint.reached();
      await office.kill();
      if (outcome === "lost") await breakpoint.rollBack();
      else await breakpoint.release();
    },
    async killCodex() {
      const record: unknown = JSON.parse(await readFile(join(world.home, "codex", "app-server.json"), "utf8"));
      const { server } = record as { server: { pid: number } };
      process.kill(-server.pid, "SIGKILL");
    },
    async visit(plan) {
      // The case before may have failed in the middle.
      venue.faults.clear();
      if (!running) await office.restart();
      visits += 1;
      const id = `q${visits}`;
      if (plan !== undefined) plans.set(id, plan);
      return visit(office, await venue.guest(`Guest ${visits}`), id);
    },
    async [Symbol.asyncDispose]() {
      await shipmate.end("SIGTERM");
      const left = await processesOf(world.home);
      await venue[Symbol.asyncDispose]();
      expect(left, "processes that outlived Shipmate").toEqual([]);
    },
  };
  return office;
}

function visit<W extends Machine, M extends Shown, P>(
  office: Office<W, M, P>,
  guest: Guest<M, P>,
  id: string,
): Visit<W, M, P> {
  let question: Asked<M> | undefined;
  const asked = () => {
    if (question === undefined) throw new Error("nothing was asked yet");
    return question;
  };
  const said = () => asked().said();
  return {
    office,
    person: guest.person,
    id,
    ask(place) {
      question = guest.ask(`question ${id}`, place);
    },
    said,
    press: (message, label) => asked().press(message, label),
    posts: () => asked().posts(answerTo(id)),
    signs: () => asked().signs(),
    leftovers: () => asked().leftovers(),
    async kept(words) {
      const folder = join(office.world.home, "codex", "sessions");
      const asked = new RegExp(`question ${id}\\b`);
      await vi.waitFor(async () => {
        const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
        const threads = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
        expect(threads.some((text) => asked.test(text) && text.includes(words))).toBe(true);
      }, waitForDisk);
    },
    async hears(text, nth = 1) {
      const matching = () => said().filter((message) => text.test(message.text));
      const first = await asked()
        .hears((message) => text.test(message.text) && matching().length >= nth, 30_000)
        .catch((cause: unknown) => {
          const heard = said().map((message) => message.text);
          throw new Error(`${text} was not said, but ${JSON.stringify(heard)}`, { cause });
        });
      return matching()[nth - 1] ?? first;
    },
    turns: () => turnsOf(office.world, id).length,
    answer: new RegExp(`^${answerTo(id)}\\s+(?:-# )?Milo`),
    labelled: new RegExp(`^${label}\\s+${answerTo(id)}`),
  };
}

export function answerTo(id: string): string {
  return `The answer to ${id}.`;
}

/** The question of a turn is the last one in it: what others said there before comes along. */
function askedIn({ text }: ModelRequest): string {
  return [...text.matchAll(/question (q\d+)/g)].at(-1)?.[1] ?? "";
}

function turnsOf({ model }: Machine, id: string): string[] {
  const ours = model.requests.filter((request) => askedIn(request) === id);
  return [...new Set(ours.map((request) => request.turnId ?? ""))];
}

export interface Settled {
  /** All that the bot says after the question and leaves standing, in order. */
  readonly says: readonly RegExp[];
  /** How often the model was set to work on it. */
  readonly turns: number;
  /** The reaction that stays on the question. */
  readonly sign: Sign;
}

/** Waits until nothing is under way any more, and then compares what the person sees with what they should see. */
export async function expectSettled<W extends Machine, M extends Shown, P>(
  visit: Visit<W, M, P>,
  expected: Settled,
): Promise<void> {
  const { venue } = visit.office;
  await vi.waitFor(async () => expect(await underWay(venue)).toEqual([]), { timeout: 30_000, interval: 50 });
  expect(visit.said().map((message) => message.text)).toEqual(expected.says.map((text) => expect.stringMatching(text)));
  expect({ turns: visit.turns(), signs: visit.signs() }).toEqual({
    turns: expected.turns,
    signs: [venue.signs[expected.sign]],
  });
  expect(visit.leftovers()).toEqual([]);
}

/** It was answered, once and in one turn. */
export async function expectAnsweredOnce<W extends Machine, M extends Shown, P>(visit: Visit<W, M, P>): Promise<void> {
  await visit.hears(visit.answer);
  await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
}

/** A task that stands still in its first turn until `thinking` is opened. */
export function thinkingFirst(): { readonly plan: Plan; readonly thinking: ReturnType<typeof gate> } {
  const thinking = gate();
  return { thinking, plan: (_, turn) => (turn === 1 ? [waitFor(thinking), say("Thought through.")] : undefined) };
}

/** Whatever is not finished yet, on the platform and in the database. */
export async function underWay({ unheard, world }: Venue): Promise<unknown[]> {
  // Asked first: what the platform has told by then, the database knows.
  const untold = unheard();
  const rows = await world.query(`
    select 'run' as what, status, id from runs where status not in ('completed', 'failed', 'interrupted')
    union all select 'delivery', status, id from deliveries where status in ('queued', 'starting', 'running')
    union all select 'post ' || purpose, status, id from posts where status in ('pending', 'sending')
    union all select 'attention', status, id from attention where status = 'open' or settled_at is null
    union all select 'live view', 'open', run_id from live_views where closed_at is null`);
  return [...untold, ...rows];
}

/** Processes that were started for this folder: app-server, commands of agents, a database. */
export async function processesOf(home: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [command, environment] = await Promise.all(
        ["cmdline", "environ"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
      );
      return command && `${command} ${environment}`.includes(home) ? [command.replaceAll("\0", " ").slice(0, 200)] : [];
    }),
  );
  return found.flat();
}
