import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BreakpointSpec } from "../support/breakpoint.ts";
import { expectSettled, type Office, openOffice, type Visit, type WriteOutcome } from "./office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

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
  when: "new.purpose = 'reaction' and new.status = 'sent'",
} as const;

describe("F-35 killed between the end of the turn and 'sent', the message is answered once, or the repeat says what it is", () => {
  const once = (visit: Visit) => [visit.answer];
  const onceLabelled = (visit: Visit) => [visit.labelled];
  const twiceLabelled = (visit: Visit) => [visit.answer, visit.labelled];

  const points: readonly (readonly [string, BreakpointSpec, WriteOutcome, (visit: Visit) => readonly RegExp[]])[] = [
    ["the end of the run is not stored", ending, "lost", once],
    ["the answer is not stored", stored, "lost", once],
    ["the commit of the end gets lost", { ...ending, at: "commit" }, "lost", once],
    ["the commit of the end gets through", { ...ending, at: "commit" }, "committed", once],
    ["the answer is not taken for sending", sending, "lost", once],
    // It was never sent, but nobody can know that.
    ["the answer is taken for sending", sending, "committed", onceLabelled],
    ["the answer was sent and that is not noted", sent, "lost", twiceLabelled],
    ["the answer was sent and that is noted", sent, "committed", once],
    ["a reaction was sent and that is not noted", reactionSent, "lost", once],
  ];
  it.each(points)("when %s", async (_, spec, outcome, says) => {
    const visit = await office.visit();
    await office.killAt(spec, () => void visit.ask(), outcome);
    await office.restart();
    await visit.hears(new RegExp(says(visit).at(-1)?.source ?? ""));
    await expectSettled(visit, { says: says(visit), turns: 1, sign: "👌" });
  });
});

describe("F-35 killed while Telegram has the answer in hand", () => {
  const calledWith = (visit: Visit) =>
    office.world.telegram
      .calls("sendMessage")
      .some((call) => String(call.payload.text).includes(visit.id) && call.payload.chat_id === visit.question.chat);

  it("repeats it with the label when Telegram never took it", async () => {
    const visit = await office.visit();
    const { telegram } = office.world;
    telegram.faults.hold("sendMessage");
    visit.ask();
    await telegram.waitFor(() => calledWith(visit));
    await office.kill();
    telegram.faults.clear();
    await office.restart();
    await visit.hears(visit.labelled);
    await expectSettled(visit, { says: [visit.labelled], turns: 1, sign: "👌" });
  });

  it("repeats it with the label when Telegram took it afterwards", async () => {
    const visit = await office.visit();
    const { telegram } = office.world;
    const letThrough = telegram.faults.hold("sendMessage");
    visit.ask();
    await telegram.waitFor(() => calledWith(visit));
    await office.kill();
    letThrough();
    await visit.hears(visit.answer);
    await office.restart();
    await visit.hears(visit.labelled);
    await expectSettled(visit, { says: [visit.answer, visit.labelled], turns: 1, sign: "👌" });
  });

  it("repeats it with the label when the response got lost", async () => {
    const visit = await office.visit();
    const { telegram } = office.world;
    telegram.faults.slow("sendMessage", { ms: 60_000 });
    visit.ask();
    await visit.hears(visit.answer);
    await office.kill();
    await office.restart();
    await visit.hears(visit.labelled);
    await expectSettled(visit, { says: [visit.answer, visit.labelled], turns: 1, sign: "👌" });
  });

  it("sends a reaction again that nobody knows about", async () => {
    const visit = await office.visit();
    const { telegram } = office.world;
    telegram.faults.hold("setMessageReaction");
    visit.ask();
    await visit.hears(visit.answer);
    await telegram.waitFor(() => telegram.calls("setMessageReaction").some((call) => call.status === undefined));
    const unsent = () => office.world.query("select id from posts where purpose = 'answer' and status <> 'sent'");
    await expect.poll(unsent, { timeout: 10_000 }).toEqual([]);
    await office.kill();
    telegram.faults.clear();
    await office.restart();
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "👌" });
  });
});
