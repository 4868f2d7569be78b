import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { type ModelRequest, type Reply, say } from "../fakes/model/index.ts";
import type { Person, SeenMessage } from "../fakes/telegram/index.ts";
import { type BreakpointSpec, setBreakpoint } from "../support/breakpoint.ts";
import type { ShipmateProcess } from "../support/shipmate.ts";
import { createWorld, type World } from "../support/world.ts";

/** What the model answers to a question; `turn` counts the turns in which it was asked, from 1. Undefined: the plain answer. */
export type Plan = (request: ModelRequest, turn: number) => Reply | undefined;

/** One Shipmate that is killed and started again, case after case, on the same database and folder. */
export interface Office extends AsyncDisposable {
  readonly world: World;
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
  visit(plan?: Plan): Promise<Visit>;
}

/** What became of the write in whose middle the process died. */
export type WriteOutcome = "lost" | "committed";

export interface Visit {
  readonly office: Office;
  readonly person: Person;
  readonly id: string;
  /** Sends the question, in private or in a group. */
  ask(chat?: number): SeenMessage;
  /** What the bot says there since the question, oldest first. */
  said(): readonly SeenMessage[];
  /** The next or present message of the bot since the question that matches. */
  hears(text: RegExp): Promise<SeenMessage>;
  /** The turns in which the model was asked this question. */
  turns(): number;
  /** Resolves once Codex wrote these words down with the question: only then they outlive it. */
  kept(words: string): Promise<void>;
  readonly question: SeenMessage;
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

export async function openOffice({ database }: OfficeOptions = {}): Promise<Office> {
  const world = await createWorld();
  const start = () => world.start(database === undefined ? {} : { DATABASE_URL: "" });
  let shipmate = await start();
  await world.claim();
  const plans = new Map<string, Plan>();
  let visits = 0;
  let running = true;

  world.model.use((request) => {
    const id = /question (q\d+)/.exec(request.text)?.[1] ?? "";
    return plans.get(id)?.(request, turnsOf(world, id).length) ?? [say(answerTo(id))];
  });

  const office: Office = {
    world,
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
      world.telegram.faults.clear();
      if (!running) await office.restart();
      visits += 1;
      const id = `q${visits}`;
      if (plan !== undefined) plans.set(id, plan);
      return visit(office, await world.hire(`Guest ${visits}`), id);
    },
    async [Symbol.asyncDispose]() {
      await shipmate.end("SIGTERM");
      const left = await processesOf(world.home);
      await world[Symbol.asyncDispose]();
      expect(left, "processes that outlived Shipmate").toEqual([]);
    },
  };
  return office;
}

function visit(office: Office, person: Person, id: string): Visit {
  const { telegram } = office.world;
  let question: SeenMessage | undefined;
  const asked = () => {
    if (question === undefined) throw new Error("nothing was asked yet");
    return question;
  };
  const said = () => telegram.chat(asked().chat).fromBot.filter((message) => message.id > asked().id);
  return {
    office,
    person,
    id,
    ask(chat = person.id) {
      const mention = chat === person.id ? "" : "@shipmate_bot ";
      question = telegram.say(person, chat, `${mention}question ${id}`);
      return question;
    },
    said,
    async kept(words) {
      const folder = join(office.world.home, "codex", "sessions");
      const asked = new RegExp(`question ${id}\\b`);
      await vi.waitFor(async () => {
        const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
        const threads = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
        expect(threads.some((text) => asked.test(text) && text.includes(words))).toBe(true);
      }, waitForDisk);
    },
    hears: (text) =>
      telegram.waitForMessage(asked().chat, (message) => message.id > asked().id && text.test(message.text), 30_000),
    turns: () => turnsOf(office.world, id).length,
    get question() {
      return asked();
    },
    answer: new RegExp(`^${answerTo(id)}\\s+Milo`),
    labelled: new RegExp(`^${label}\\s+${answerTo(id)}`),
  };
}

export function answerTo(id: string): string {
  return `The answer to ${id}.`;
}

function turnsOf({ model }: World, id: string): string[] {
  const ours = model.requests.filter((request) => new RegExp(`question ${id}\\b`).test(request.text));
  return [...new Set(ours.map((request) => request.turnId ?? ""))];
}

export interface Settled {
  /** All that the bot says after the question and leaves standing, in order. */
  readonly says: readonly RegExp[];
  /** How often the model was set to work on it. */
  readonly turns: number;
  /** The reaction that stays on the question. */
  readonly sign: "👌" | "💔" | "🫡";
}

/** Waits until nothing is under way any more, and then compares what the person sees with what they should see. */
export async function expectSettled(visit: Visit, expected: Settled): Promise<void> {
  const { world } = visit.office;
  await vi.waitFor(async () => expect(await underWay(world)).toEqual([]), { timeout: 30_000, interval: 50 });
  expect(visit.said().map((message) => message.text)).toEqual(expected.says.map((text) => expect.stringMatching(text)));
  expect({ turns: visit.turns(), sign: signOn(visit) }).toEqual({ turns: expected.turns, sign: [expected.sign] });
  const outgoing = world.telegram.calls().filter((call) => call.payload.chat_id === visit.question.chat);
  const lastDraft = outgoing.findLastIndex((call) => call.method === "sendMessageDraft");
  const lastMessage = outgoing.findLastIndex((call) => call.method === "sendMessage");
  expect(lastDraft, "a draft that nothing replaces").toBeLessThan(lastMessage);
}

function signOn({ office, question }: Visit): readonly string[] | undefined {
  return office.world.telegram.chat(question.chat).messages.find((message) => message.id === question.id)?.reactions;
}

/** Whatever is not finished yet, at Telegram and in the database. */
async function underWay({ telegram, query }: World): Promise<unknown[]> {
  const rows = await query(`
    select 'run' as what, status, id from runs where status not in ('completed', 'failed', 'interrupted')
    union all select 'delivery', status, id from deliveries where status in ('queued', 'starting', 'running')
    union all select 'post ' || purpose, status, id from posts where status in ('pending', 'sending')
    union all select 'attention', status, id from attention where status = 'open' or settled_at is null
    union all select 'live view', 'open', run_id from live_views where closed_at is null`);
  return [...telegram.pendingUpdates(), ...rows];
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
