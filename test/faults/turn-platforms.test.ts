import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, type Reply, say, shell, waitFor } from "../fakes/model/index.ts";
import type { BreakpointSpec } from "../support/breakpoint.ts";
import {
  type AnyOffice,
  type AnyVisit,
  expectSettled,
  openOfficeAt,
  type Plan,
  restarted,
  venues,
  type WriteOutcome,
} from "./office.ts";

/** What Telegram proves in turn.test.ts, where the platform has a part in it: live views, cards, presses. */
describe.each(venues.filter(({ platform }) => platform !== "Telegram"))("on $platform", ({ open, platform }) => {
  let office: AnyOffice;
  beforeAll(async () => {
    office = await openOfficeAt(await open());
  });
  afterAll(() => office[Symbol.asyncDispose]());

  const atFirst =
    (...reply: Reply): Plan =>
    (_, turn) =>
      turn === 1 ? reply : undefined;
  /** The turn was cut and that was told; Try again leads to exactly one answer. */
  async function expectTryAgain(visit: AnyVisit, ...says: readonly RegExp[]): Promise<void> {
    const notice = await visit.hears(restarted);
    await expectSettled(visit, { says, turns: 1, sign: "failed" });
    expect(visit.press(notice, "Try again").acknowledged()).toBe(false);
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [...says, visit.answer], turns: 2, sign: "done" });
  }

  describe("F-18 F-21 killed in the middle of the turn, that is told, no sign of work stays, and Try again leads to one answer", () => {
    const view = { table: "live_views", on: "insert" } as const;
    const points: readonly (readonly [string, BreakpointSpec, WriteOutcome])[] = [
      [
        "nobody was shown that it was taken up",
        { table: "posts", on: "insert", when: "new.purpose = 'reaction'" },
        "lost",
      ],
      ["the live view is not written down", view, "lost"],
      ["the live view is written down", view, "committed"],
    ];
    // Slack shows work on a line beside the conversation, which is written down nowhere.
    it.each(points.filter(([, spec]) => spec !== view || platform !== "Slack"))("when %s", async (_, spec, outcome) => {
      const thinking = gate();
      const visit = await office.visit(atFirst(waitFor(thinking)));
      const askAndThink = async () => {
        visit.ask();
        await thinking.reached;
      };
      await office.killAt(spec, askAndThink, outcome);
      await office.restart();
      await expectTryAgain(visit, restarted);
    });

    it("while work is shown", async () => {
      const thinking = gate();
      const visit = await office.visit(atFirst(waitFor(thinking)));
      visit.ask();
      await thinking.reached;
      const isShown = () => [...visit.leftovers(), ...visit.said()].length;
      await expect.poll(isShown, { timeout: 15_000 }).toBeGreaterThan(0);
      await office.world.allPosted();
      const unnoted = "select 1 from live_views where closed_at is null and platform_message_id is null";
      await expect.poll(() => office.world.query(unnoted).catch(() => []), { timeout: 10_000 }).toEqual([]);
      await office.kill();
      await office.restart();
      await expectTryAgain(visit, restarted);
    });
  });

  // Slack shows work on a line beside the conversation, which goes by itself.
  if (platform !== "Slack") {
    describe("F-36 the message that shows work goes away again", () => {
      const noted = { table: "live_views", on: "update", when: "new.platform_message_id is not null" } as const;
      const points: readonly (readonly [string, WriteOutcome])[] = [
        ["not noted", "lost"],
        ["noted", "committed"],
      ];
      it.each(points)("when we are killed and its id is %s", async (_, outcome) => {
        const visit = await office.visit(atFirst(waitFor(gate())));
        await office.killAt(noted, () => visit.ask(), outcome);
        await office.restart();
        await expectTryAgain(visit, restarted);
      });

      it("when nobody heard that it is there, and the answer came first", async () => {
        const thinking = gate();
        const visit = await office.visit(() => [waitFor(thinking), say("Thought through.")]);
        office.venue.faults.losePostResponses();
        visit.ask();
        await visit.hears(/^Milo · working/);
        thinking.open();
        await visit.hears(/^Thought through/);
        await expectSettled(visit, { says: [/^Thought through/], turns: 1, sign: "done" });
      });
    });
  }

  describe("F-27 killed while a person is asked", () => {
    const escalated = shell("echo it-$((20+22))-ran", { escalated: true, justification: "the test wants it" });
    const asks: Plan = (request) => (request.lastOutput === undefined ? [escalated] : undefined);
    const card = /Milo asks: run a command|echo it-/;
    const openCard = async (visit: AnyVisit) => {
      visit.ask();
      const asked = await visit.hears(card);
      await office.world.allPosted();
      return asked;
    };
    async function expectAskedAnew(visit: AnyVisit): Promise<void> {
      const notice = await visit.hears(restarted);
      await expectSettled(visit, { says: [card, restarted], turns: 1, sign: "failed" });
      expect(() => visit.press(visit.said()[0] ?? notice, "Approve")).toThrow();
      visit.press(notice, "Try again");
      visit.press(await visit.hears(card, 2), "Approve");
      await visit.hears(visit.answer);
      await expectSettled(visit, { says: [card, restarted, card, visit.answer], turns: 2, sign: "done" });
    }

    it("a press that nobody hears fails before the presser's eyes, the card is closed, and Try again asks anew", async () => {
      const visit = await office.visit(asks);
      const old = await openCard(visit);
      await office.kill();
      const press = visit.press(old, "Approve");
      await office.restart();
      expect(press.acknowledged()).toBe(false);
      await expectAskedAnew(visit);
    });

    const decided = { table: "attention", on: "update", when: "new.status = 'approved'", at: "commit" } as const;
    const points: readonly (readonly [string, WriteOutcome])[] = [
      ["is not stored", "lost"],
      ["is stored", "committed"],
    ];
    it.each(points)("nothing runs twice, when the decision %s", async (_, outcome) => {
      const visit = await office.visit(asks);
      const old = await openCard(visit);
      await office.killAt(decided, () => void visit.press(old, "Approve"), outcome);
      await office.restart();
      await expectAskedAnew(visit);
    });

    const changed = { table: "posts", on: "update", when: "new.op = 'edit' and new.status = 'sent'" } as const;
    it.each([
      ["not noted", "lost"],
      ["noted", "committed"],
    ] as const)("the card stays closed, when its change was sent and that is %s", async (_, outcome) => {
      const visit = await office.visit((request) =>
        request.lastOutput === undefined ? [escalated] : [waitFor(gate())],
      );
      const old = await openCard(visit);
      await office.killAt(changed, () => void visit.press(old, "Approve"), outcome);
      await office.restart();
      await visit.hears(restarted);
      await expectSettled(visit, { says: [card, restarted], turns: 1, sign: "failed" });
      expect(() => visit.press(visit.said()[0] ?? old, "Approve")).toThrow();
    });
  });
});
