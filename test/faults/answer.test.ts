import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BreakpointSpec } from "../support/breakpoint.ts";
import { type AnyOffice, type AnyVisit, expectSettled, openOfficeAt, venues, type WriteOutcome } from "./office.ts";

let office: AnyOffice;
const inOffice = ({ open }: (typeof venues)[number]) => {
  beforeAll(async () => {
    office = await openOfficeAt(await open());
  });
  afterAll(() => office[Symbol.asyncDispose]());
};
/** Where posts are found again there is nothing to repeat, and nothing to label. */
const once = (visit: AnyVisit) => [visit.answer];
const repeated = (visit: AnyVisit) => (office.venue.findsPosts ? once(visit) : [visit.answer, visit.labelled]);
const repeatedUnseen = (visit: AnyVisit) => (office.venue.findsPosts ? once(visit) : [visit.labelled]);
/** The last of these was said, and then nothing more is. */
async function expectSays(visit: AnyVisit, says: readonly RegExp[]): Promise<void> {
  for (const text of says) await visit.hears(text);
  await expectSettled(visit, { says, turns: 1, sign: "done" });
}

const ending = { table: "runs", on: "update", when: "new.status = 'completed'" } as const;
const stored = { table: "posts", on: "insert", when: "new.purpose = 'answer'" } as const;
const sending = {
  table: "posts",
  on: "update",
  when: "new.purpose = 'answer' and new.status = 'sending' and old.status = 'pending'",
} as const;
const sent = { table: "posts", on: "update", when: "new.purpose = 'answer' and new.status = 'sent'" } as const;
const reactionSent = {
  table: "posts",
  on: "update",
  when: "new.purpose = 'reaction' and new.status = 'sent' and new.body ->> 'reaction' = 'done'",
} as const;

describe.each(venues)(
  "F-35 $platform: killed between the end of the turn and 'sent', the message is answered once, or the repeat says what it is",
  (venue) => {
    inOffice(venue);
    const points: readonly (readonly [string, BreakpointSpec, WriteOutcome, (visit: AnyVisit) => readonly RegExp[]])[] =
      [
        ["the end of the run is not stored", ending, "lost", once],
        ["the answer is not stored", stored, "lost", once],
        ["the commit of the end gets lost", { ...ending, at: "commit" }, "lost", once],
        ["the commit of the end gets through", { ...ending, at: "commit" }, "committed", once],
        ["the answer is not taken for sending", sending, "lost", once],
        // It was never sent, but nobody can know that.
        ["the answer is taken for sending", sending, "committed", repeatedUnseen],
        ["the answer was sent and that is not noted", sent, "lost", repeated],
        ["the answer was sent and that is noted", sent, "committed", once],
        ["a reaction was sent and that is not noted", reactionSent, "lost", once],
      ];
    it.each(points)("when %s", async (_, spec, outcome, says) => {
      const visit = await office.visit();
      await office.killAt(spec, () => void visit.ask(), outcome);
      await office.restart();
      await expectSays(visit, says(visit));
    });
  },
);

describe.each(venues)("F-35 $platform: killed while it has the answer in hand", (venue) => {
  inOffice(venue);
  const isTried = (visit: AnyVisit) => expect.poll(() => visit.posts().length, { timeout: 20_000 }).toBeGreaterThan(0);

  it("comes once more, and says so where that may be seen, when it was never taken", async () => {
    const visit = await office.visit();
    office.venue.faults.holdPosts();
    visit.ask();
    await isTried(visit);
    await office.kill();
    office.venue.faults.clear();
    await office.restart();
    await expectSays(visit, repeatedUnseen(visit));
  });

  it("comes once more only where it is not found, when it was taken afterwards", async () => {
    const visit = await office.visit();
    const letThrough = office.venue.faults.holdPosts();
    visit.ask();
    await isTried(visit);
    await office.kill();
    letThrough();
    await visit.hears(visit.answer);
    await office.restart();
    await expectSays(visit, repeated(visit));
  });

  it("comes once more only where it is not found, when the response got lost", async () => {
    const visit = await office.visit();
    office.venue.faults.slowPosts();
    visit.ask();
    await visit.hears(visit.answer);
    await office.kill();
    office.venue.faults.clear();
    await office.restart();
    await expectSays(visit, repeated(visit));
  });

  it("sends a reaction again that nobody knows about", async () => {
    const visit = await office.visit();
    const { faults } = office.venue;
    faults.holdSigns();
    visit.ask();
    await visit.hears(visit.answer);
    await expect.poll(faults.signsWait, { timeout: 10_000 }).toBe(true);
    const unsent = () => office.world.query("select id from posts where purpose = 'answer' and status <> 'sent'");
    await expect.poll(unsent, { timeout: 10_000 }).toEqual([]);
    await office.kill();
    faults.clear();
    await office.restart();
    await expectSettled(visit, { says: once(visit), turns: 1, sign: "done" });
  });
});
