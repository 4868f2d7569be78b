import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { pause, say } from "../fakes/model/index.ts";
import { numbersFrom } from "../support/random.ts";
import { type AnyVisit, openOfficeAt, underWay, venues } from "./office.ts";

/** Other days for every seed: `RANDOM_DAYS_SEED=7 RANDOM_DAYS_STEPS=200 npx vitest run …`. */
const seed = Number(process.env.RANDOM_DAYS_SEED ?? 1);
const steps = Number(process.env.RANDOM_DAYS_STEPS ?? 24);

describe.each(venues)("$platform", ({ open }) => {
  it(`F-14 F-35 answers everybody once or says why not, whatever happens to it, to Codex and to the line (seed ${seed})`, {
    timeout: 600_000,
  }, async () => {
    await using office = await openOfficeAt(await open());
    const random = numbersFrom(seed);
    const { faults } = office.venue;
    const visits: AnyVisit[] = [];
    const ask = async () => {
      const slowly = random() < 0.5;
      const visit = await office.visit(() =>
        slowly ? [pause(Math.floor(random() * 1_500)), say("Slowly.")] : undefined,
      );
      visit.ask();
      visits.push(visit);
    };
    const restart = async () => {
      await office.kill();
      await office.restart();
    };
    const often = [ask, ask, ask];
    const rarely: readonly (() => unknown)[] = [
      restart,
      () => office.killCodex().catch(() => undefined),
      faults.cutLine,
      faults.cutLine,
      faults.repeatEvent,
      () => faults.losePostResponses(),
      () => faults.failPosts(),
      () => faults.limitPosts(0.5),
      () => faults.loseSignResponses(),
    ];
    for (let step = 0; step < steps; step += 1) {
      const all = random() < 0.5 ? often : rarely;
      await all[Math.floor(random() * all.length)]?.();
      await delay(Math.floor(random() * 400));
    }
    const silent = () => visits.filter((visit) => outcomesOf(visit).length === 0).map(({ id }) => id);
    const settled = async () => expect([...silent(), ...(await underWay(office.venue))]).toEqual([]);
    await vi.waitFor(settled, { timeout: 90_000, interval: 200 });
    for (const visit of visits) expectOutcome(visit);
  });
});

/** What was said to a question, but for a live view: one that was posted when we were killed stays until somebody presses its Stop. */
function outcomesOf(visit: AnyVisit): readonly string[] {
  return visit
    .said()
    .map((message) => message.text)
    .filter((text) => !text.startsWith("Milo · working"));
}

/** One outcome; a second one only where it says that it may be a repeat. Nothing was thought about twice, and no sign of work is left. */
function expectOutcome(visit: AnyVisit): void {
  const said = outcomesOf(visit);
  const what = `what was said to ${visit.id}: ${JSON.stringify(said)}`;
  const { findsPosts, signs } = visit.office.venue;
  const repeats = said.filter((text) => text.startsWith("♻︎"));
  expect(said.length - repeats.length, what).toBeLessThanOrEqual(1);
  if (findsPosts) expect(repeats).toEqual([]);
  expect(visit.turns(), what).toBeLessThanOrEqual(1);
  const answered = said.some(
    (text) => visit.answer.test(text) || /(?:Slowly|The answer to q\d+)\.\s+(?:-# )?Milo/.test(text),
  );
  expect(visit.signs(), what).toEqual([answered ? signs.done : signs.failed]);
  if (!answered) expect(said[0]).toMatch(/I restarted in the middle of this|Milo couldn.t finish/);
  expect(visit.leftovers()).toEqual([]);
}
