import { setTimeout as sleep } from "node:timers/promises";
import type { Person } from "./chats.ts";
import { type Spread, spread } from "./spread.ts";
import { question } from "./words.ts";
import type { Bench, Codex, World } from "./world.ts";
import { startWorld } from "./world.ts";

export interface Latency extends OneByOne {
  readonly codex: Codex["kind"];
}

/** What comes of one message at a time. */
export interface OneByOne {
  readonly turns: number;
  /** From a person's message to turn/start at app-server, to the first thing seen, and to the accepted answer. */
  readonly startMs: Spread;
  readonly signMs: Spread;
  readonly answerMs: Spread;
  /** The same for the first message of a person: their conversation and its Codex thread are made. */
  readonly first: {
    readonly turns: number;
    readonly startMs: Spread;
    readonly signMs: Spread;
    readonly answerMs: Spread;
  };
}

/** So many that a chat's turn comes again after the second that every platform asks for. */
export const people = 30;
const warmUp = 10;

export async function measureLatency(bench: Bench, codex: Codex): Promise<Latency> {
  await using world = await startWorld(bench, { endpoint: codex.endpoints.timed, people, unpaced: false });
  const [turns] = await askOneByOne([world], codex, bench.quick ? 2 : 6);
  if (turns === undefined) throw new Error("nothing was measured");
  return { codex: codex.kind, ...turns };
}

/**
 * One message at a time, at the pace platforms ask for. People take turns: a chat whose last answer is less than a second
 * old has to wait for that pace, and that would be all one sees. Worlds take turns, too, so that whatever else this
 * machine does slows down all of them.
 */
export async function askOneByOne(worlds: readonly World[], codex: Codex, rounds: number): Promise<OneByOne[]> {
  const all = worlds.map((world) => ({ world, first: [] as Turn[], usual: [] as Turn[] }));
  const most = Math.max(...worlds.map((world) => world.people.length));
  for (let round = -1; round < rounds; round += 1) {
    for (let index = 0; index < most; index += 1) {
      for (const { world, first, usual } of all) {
        const person = world.people[index];
        if (person === undefined) continue;
        const turn = await ask(world, codex, person);
        // The very first turns of a process compile its code; nobody waits for those twice.
        if (round >= 0) usual.push(turn);
        else if (index >= warmUp) first.push(turn);
      }
    }
  }
  return all.map(({ first, usual }) => ({
    turns: usual.length,
    ...spreads(usual),
    first: { turns: first.length, ...spreads(first) },
  }));
}

interface Turn {
  readonly startMs: number;
  readonly signMs: number;
  readonly answerMs: number;
}

async function ask(world: World, codex: Codex, person: Person): Promise<Turn> {
  await codex.child.call("starts");
  const asked = await world.chats.ask(person, question);
  const [start] = await codex.child.call<number[]>("starts");
  if (start === undefined) throw new Error("an answer without a turn");
  // What follows an answer (its receipt, a reaction) is over before a person writes again.
  await sleep(30);
  return { startMs: start - asked.at, signMs: asked.signMs, answerMs: asked.answerMs };
}

function spreads(all: readonly Turn[]) {
  return {
    startMs: spread(all.map((each) => each.startMs)),
    signMs: spread(all.map((each) => each.signMs)),
    answerMs: spread(all.map((each) => each.answerMs)),
  };
}
