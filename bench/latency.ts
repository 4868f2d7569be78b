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

const people = 30;

export async function measureLatency(bench: Bench, codex: Codex): Promise<Latency> {
  await using world = await startWorld(bench, { endpoint: codex.endpoints.timed, people, unpaced: false });
  return { codex: codex.kind, ...(await askOneByOne(world, codex, bench.quick ? 2 : 6)) };
}

/**
 * One message at a time, at the pace the platform asks for. People take turns: a chat whose last answer is less than a
 * second old has to wait for that pace, and that would be all one sees.
 */
export async function askOneByOne(world: World, codex: Codex, rounds: number): Promise<OneByOne> {
  const ask = async (person: Person) => {
    await codex.child.call("starts");
    const asked = await world.chats.ask(person, question);
    const [start] = await codex.child.call<number[]>("starts");
    if (start === undefined) throw new Error("an answer without a turn");
    // What follows an answer (its receipt, a reaction) is over before a person writes again.
    await sleep(30);
    return { startMs: start - asked.at, signMs: asked.signMs, answerMs: asked.answerMs };
  };
  // The very first turns of a process compile its code; nobody waits for those twice.
  const [warmUp, newcomers] = [world.people.slice(0, 10), world.people.slice(10)];
  for (const person of warmUp) await ask(person);
  const first = [];
  for (const person of newcomers) first.push(await ask(person));
  const all = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const person of world.people) all.push(await ask(person));
  }
  return { turns: all.length, ...spreads(all), first: { turns: first.length, ...spreads(first) } };
}

function spreads(all: readonly { startMs: number; signMs: number; answerMs: number }[]) {
  return {
    startMs: spread(all.map((each) => each.startMs)),
    signMs: spread(all.map((each) => each.signMs)),
    answerMs: spread(all.map((each) => each.answerMs)),
  };
}
