import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BreakpointSpec } from "../support/breakpoint.ts";
import { type AnyOffice, expectSettled, openOfficeAt, venues, type WriteOutcome } from "./office.ts";
import type { Venue } from "./venue.ts";
import { openTelegram } from "./venue-telegram.ts";

let office: AnyOffice;
/** One office for the tests of a block. */
function working(open: () => Promise<Venue>): void {
  beforeAll(async () => {
    office = await openOfficeAt(await open());
  });
  afterAll(() => office[Symbol.asyncDispose]());
}

const onCommit = (table: string): BreakpointSpec => ({ table, on: "insert", at: "commit" });

describe.each(venues)(
  "F-02 $platform: killed between the update and the start of the turn, the message is answered exactly once",
  ({ open }) => {
    working(open);
    const points: readonly (readonly [string, BreakpointSpec, WriteOutcome])[] = [
      ["the update is in hand and nothing is stored", { table: "inbound_events", on: "insert" }, "lost"],
      ["the message is stored and not delivered", { table: "messages", on: "insert" }, "lost"],
      ["the delivery is stored and not committed", { table: "deliveries", on: "insert" }, "lost"],
      ["the inbox's commit gets lost", onCommit("deliveries"), "lost"],
      ["the inbox's commit gets through", onCommit("deliveries"), "committed"],
      ["the claim gets lost", onCommit("runs"), "lost"],
      ["the claim gets through", onCommit("runs"), "committed"],
      ["the new Codex thread is not written down", onCommit("codex_threads"), "lost"],
      ["the new Codex thread is written down", onCommit("codex_threads"), "committed"],
    ];
    it.each(points)("when %s", async (_, spec, outcome) => {
      const visit = await office.visit();
      await office.killAt(spec, () => void visit.ask(), outcome);
      expect(visit.said()).toEqual([]);
      await office.restart();
      await visit.hears(visit.answer);
      await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
    });
  },
);

it("F-02 Telegram: when it was answered and Telegram does not know yet that we have it", async () => {
  await using telegramOffice = await openOfficeAt(await openTelegram());
  const visit = await telegramOffice.visit();
  const { telegram } = telegramOffice.world;
  telegram.faults.hold("getUpdates");
  visit.ask();
  await visit.hears(visit.answer);
  await telegramOffice.world.allPosted();
  await telegramOffice.kill();
  expect(telegram.pendingUpdates()).toHaveLength(1);
  telegram.faults.clear();
  await telegramOffice.restart();
  await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
  await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
});
