import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import { answerTo, expectSettled, type Office, openOffice, type Visit } from "./office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

/** Every try to send the answer, whatever became of it. */
const sends = (visit: Visit) =>
  office.world.telegram.calls("sendMessage").filter(({ payload }) => String(payload.text).includes(answerTo(visit.id)));

describe("F-22 Telegram says 429", () => {
  it("to the answer: it arrives once, after the time it asked for", async () => {
    const visit = await office.visit();
    office.world.telegram.faults.rateLimit("sendMessage", { retryAfter: 1, times: 2 });
    visit.ask();
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
    const [first, second, third] = sends(visit).map((call) => call.at.getTime());
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it("to one chat: another chat's answer does not wait for it", async () => {
    const slow = await office.visit();
    const quick = await office.visit();
    office.world.telegram.faults.rateLimit("sendMessage", { retryAfter: 5 });
    slow.ask();
    await office.world.telegram.waitFor(() => sends(slow).some((call) => call.status === 429));
    quick.ask();
    await quick.hears(quick.answer);
    expect(slow.said()).toEqual([]);
    await slow.hears(slow.answer);
    await expectSettled(slow, { says: [slow.answer], turns: 1, sign: "done" });
    await expectSettled(quick, { says: [quick.answer], turns: 1, sign: "done" });
  });

  it("to reactions and drafts: the answer is untouched", async () => {
    const visit = await office.visit();
    office.world.telegram.faults.rateLimit("setMessageReaction", { retryAfter: 1 });
    office.world.telegram.faults.rateLimit("sendMessageDraft", { retryAfter: 1 });
    visit.ask();
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
  });
});

describe("F-35 it is not known whether Telegram took the answer", () => {
  it("after a 500 it comes again, once, and says that it may be a repeat", async () => {
    const visit = await office.visit();
    office.world.telegram.faults.serverError("sendMessage");
    visit.ask();
    await visit.hears(visit.labelled);
    await expectSettled(visit, { says: [visit.labelled], turns: 1, sign: "done" });
  });

  it("after a 500 to the word that there will be none, that word comes again as well", async () => {
    const thinking = gate();
    const visit = await office.visit(() => [waitFor(thinking)]);
    visit.ask();
    await thinking.reached;
    await office.kill();
    office.world.telegram.faults.serverError("sendMessage");
    await office.restart();
    const says = /^♻︎ This may be a repeat.*\s+I restarted in the middle of this/;
    await visit.hears(says);
    await expectSettled(visit, { says: [says], turns: 1, sign: "failed" });
  });

  it("after a lost response it comes again, once, and says that it may be a repeat", async () => {
    const visit = await office.visit();
    office.world.telegram.faults.loseResponseAfterEffect("sendMessage");
    visit.ask();
    await visit.hears(visit.labelled);
    await expectSettled(visit, { says: [visit.answer, visit.labelled], turns: 1, sign: "done" });
  });

  it("when the repeat's response is lost as well, it does not come a third time", async () => {
    const visit = await office.visit();
    office.world.telegram.faults.loseResponseAfterEffect("sendMessage", { times: 2 });
    visit.ask();
    await visit.hears(visit.labelled);
    await expectSettled(visit, { says: [visit.answer, visit.labelled], turns: 1, sign: "done" });
  });

  it("a reaction whose response is lost is simply set again", async () => {
    const visit = await office.visit();
    office.world.telegram.faults.loseResponseAfterEffect("setMessageReaction", { times: 2 });
    visit.ask();
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
  });
});

describe("F-60 F-61 Telegram cannot be used for a while", () => {
  it("a second poller is told to the operator, and ours goes on", async () => {
    const { telegram, query } = office.world;
    const visit = await office.visit();
    telegram.faults.reject("getUpdates", 409, "Conflict: terminated by other getUpdates request");
    visit.ask();
    await telegram.waitFor(() => telegram.calls("getUpdates").some((call) => call.status === 409));
    await expect
      .poll(async () => (await query("select state_detail from connections"))[0]?.state_detail)
      .toMatch(/Another program/);
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
    await expect.poll(async () => (await query("select state from connections"))[0]?.state).toBe("connected");
  });

  it("a turn goes on while Telegram is away, and its answer and what was written meanwhile arrive later, once", async () => {
    const { telegram } = office.world;
    const thinking = gate();
    const visit = await office.visit((_, turn) => (turn === 1 ? [waitFor(thinking), say("Patience.")] : undefined));
    const later = await office.visit();
    visit.ask();
    await thinking.reached;
    await telegram.faults.refuseConnections();
    later.ask();
    thinking.open();
    await expect
      .poll(() => office.world.query("select attempts from posts where purpose = 'answer' and status = 'pending'"))
      .toMatchObject([{ attempts: expect.any(Number) }]);
    await telegram.faults.acceptConnections();
    await visit.hears(/^Patience\./);
    await later.hears(later.answer);
    await expectSettled(visit, { says: [/^Patience\.\s+Milo/], turns: 1, sign: "done" });
    await expectSettled(later, { says: [later.answer], turns: 1, sign: "done" });
  });

  it("it starts while Telegram is away, and answers when it is back", async () => {
    const { telegram } = office.world;
    const visit = await office.visit();
    await office.kill();
    await telegram.faults.refuseConnections();
    await office.restart();
    visit.ask();
    await telegram.faults.acceptConnections();
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
  });
});
