import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, say, shell, waitFor } from "../fakes/model/index.ts";
import { setBreakpoint } from "../support/breakpoint.ts";
import { expectSettled, type Office, openOffice, type Visit } from "./office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

const lost = /^Milo couldn't finish: lost the connection to the computer\.$/;
const lostAfter = (said: string) =>
  new RegExp(
    `^Milo couldn't finish: lost the connection to the computer\\.\\s+Here is what Milo had finished:\\s+${said}$`,
  );

async function expectTryAgain(visit: Visit, ...says: readonly RegExp[]): Promise<void> {
  await expectSettled(visit, { says, turns: 1, sign: "failed" });
  const notice = visit.said().at(-1);
  if (notice === undefined) throw new Error("nothing was told");
  office.world.telegram.press(visit.person, notice, "Try again");
  await visit.hears(visit.answer);
  await expectSettled(visit, { says: [...says, visit.answer], turns: 2, sign: "done" });
}

/** What the model said has reached us. */
async function isNoted(text: string): Promise<void> {
  const noted = () => office.world.query("select 1 from run_events where payload->>'text' = $1", [text]);
  await expect.poll(async () => (await noted()).length, { timeout: 10_000 }).toBe(1);
}

describe("F-18 Codex is killed", () => {
  it("before the turn started: the message waits for the next Codex, and nobody notices", async () => {
    const visit = await office.visit();
    {
      await using breakpoint = await setBreakpoint(office.world.databaseUrl, { table: "codex_threads", on: "insert" });
      visit.ask();
      await breakpoint.reached();
      await office.killCodex();
    }
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
  });

  it("while the model streams: what was said is kept, and Try again leads to one answer", async () => {
    const streaming = gate();
    const visit = await office.visit((_, turn) =>
      turn === 1
        ? [say("A first thought.", { phase: "commentary" }), say("Half an", { paceMs: 1 }), waitFor(streaming)]
        : undefined,
    );
    visit.ask();
    await streaming.reached;
    await isNoted("A first thought.");
    await office.killCodex();
    const notice = await visit.hears(/^Milo couldn't finish/);
    expect(notice.text).toContain("A first thought.");
    await expectTryAgain(visit, lostAfter("A first thought\\.[\\s\\S]*"));
  });

  it("while a person is asked: the card is closed, and Try again asks anew", async () => {
    const { telegram } = office.world;
    const card = /^Milo asks: run a command/;
    const escalated = shell("echo it-$((20+22))-ran", { escalated: true, justification: "the test wants it" });
    const visit = await office.visit((request) => (request.lastOutput === undefined ? [escalated] : undefined));
    visit.ask();
    const old = await visit.hears(card);
    await office.world.allPosted();
    await office.killCodex();
    const notice = await visit.hears(lost);
    await expectSettled(visit, { says: [card, lost], turns: 1, sign: "failed" });
    expect(visit.said()[0]?.keyboard).toEqual([]);
    expect(visit.said()[0]?.id).toBe(old.id);

    telegram.press(visit.person, notice, "Try again");
    const anew = await telegram.waitForMessage(visit.person, ({ id, text }) => id > notice.id && card.test(text));
    telegram.press(visit.person, anew, "Approve");
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [card, lost, card, visit.answer], turns: 2, sign: "done" });
  });

  it("between the last word and the end of the turn: the word is kept, and Try again leads to one answer", async () => {
    const ending = gate();
    const visit = await office.visit((_, turn) => (turn === 1 ? [say("My last word."), waitFor(ending)] : undefined));
    visit.ask();
    await ending.reached;
    await isNoted("My last word.");
    await office.killCodex();
    await visit.hears(/^Milo couldn't finish/);
    await expectTryAgain(visit, lostAfter("My last word\\."));
  });
});
