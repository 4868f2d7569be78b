import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, type Reply, say, shell, waitFor } from "../fakes/model/index.ts";
import type { SeenMessage } from "../fakes/telegram/index.ts";
import type { BreakpointSpec } from "../support/breakpoint.ts";
import {
  expectSettled,
  type Office,
  openOffice,
  type Plan,
  processesOf,
  restarted,
  type Visit,
  type WriteOutcome,
} from "./office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

const thought = say("A first thought.", { phase: "commentary" });
const restartedAfterThought =
  /^I restarted in the middle of this\. Here is what Milo had finished:\s+A first thought\.$/;

/** The model does this in the first turn, and gives the plain answer in any other. */
const atFirst =
  (...reply: Reply): Plan =>
  (_, turn) =>
    turn === 1 ? reply : undefined;
const silence = () => waitFor(gate());

const shown = ({ chat, id }: SeenMessage) => office.world.telegram.chat(chat).messages.find((each) => each.id === id);

/** The turn was cut and that was told; Try again leads to exactly one answer. */
async function expectTryAgain(visit: Visit, ...says: readonly RegExp[]): Promise<void> {
  await expectSettled(visit, { says, turns: 1, sign: "failed" });
  const [notice] = visit.said().slice(-1);
  if (notice === undefined) throw new Error("nothing was told");
  office.world.telegram.press(visit.person, notice, "Try again");
  await visit.hears(visit.answer);
  await expectSettled(visit, { says: [...says, visit.answer], turns: 2, sign: "done" });
}

describe("F-18 F-21 killed in the middle of the turn, that is told, and Try again leads to one answer", () => {
  const turnKnown = {
    table: "runs",
    on: "update",
    when: "new.codex_turn_id is distinct from old.codex_turn_id",
  } as const;
  const event = { table: "run_events", on: "insert", when: "new.kind = 'text'" } as const;
  const view = { table: "live_views", on: "insert" } as const;
  const takenUp = { table: "posts", on: "insert", when: "new.purpose = 'reaction'" } as const;
  const points: readonly (readonly [string, BreakpointSpec, WriteOutcome])[] = [
    ["nobody was shown that it was taken up", takenUp, "lost"],
    ["it is not noted that the turn began", turnKnown, "lost"],
    ["it is noted that the turn began", turnKnown, "committed"],
    ["what Milo said is not stored", event, "lost"],
    ["what Milo said is stored", event, "committed"],
    ["the live view is not written down", view, "lost"],
    ["the live view is written down", view, "committed"],
  ];
  it.each(points)("when %s", async (_, spec, outcome) => {
    const thinking = gate();
    const visit = await office.visit(atFirst(thought, waitFor(thinking)));
    const askAndThink = async () => {
      visit.ask();
      await thinking.reached;
      await visit.kept("A first thought.");
    };
    await office.killAt(spec, askAndThink, outcome);
    await office.restart();
    await visit.hears(restarted);
    await expectTryAgain(visit, restartedAfterThought);
  });

  it("while the model thinks", async () => {
    const thinking = gate();
    const visit = await office.visit(atFirst(thought, waitFor(thinking)));
    visit.ask();
    await thinking.reached;
    await visit.kept("A first thought.");
    await office.kill();
    await office.restart();
    await visit.hears(restarted);
    await expectTryAgain(visit, restartedAfterThought);
  });

  it("in the middle of a command, which ends with it", async () => {
    const visit = await office.visit(atFirst(shell("touch begun; sleep 4242", { yieldMs: 60_000 })));
    const commands = async () => (await processesOf(office.world.home)).filter((line) => line.includes("sleep 4242"));
    visit.ask();
    await expect.poll(commands, { timeout: 15_000 }).not.toEqual([]);
    await office.kill();
    await office.restart();
    expect(await commands()).toEqual([]);
    await visit.hears(restarted);
    await expectTryAgain(visit, restarted);
  });

  it("in a group, where the live message goes away as well", async () => {
    const group = await office.world.openGroup();
    const visit = await office.visit(atFirst(silence()));
    visit.ask(group);
    await visit.hears(/^Milo · working/);
    await office.world.allPosted();
    await expect
      .poll(() =>
        office.world.query("select 1 from live_views where closed_at is null and platform_message_id is null"),
      )
      .toEqual([]);
    await office.kill();
    await office.restart();
    await visit.hears(restarted);
    await expectTryAgain(visit, restarted);
  });
});

describe("F-36 killed before it is noted which message is the live one", () => {
  it("that message stays, and a press on its Stop takes it away", async () => {
    const group = await office.world.openGroup();
    const visit = await office.visit(atFirst(silence()));
    const noted = { table: "live_views", on: "update", when: "new.platform_message_id is not null" } as const;
    await office.killAt(noted, () => void visit.ask(group), "lost");
    const live = await visit.hears(/^Milo · working/);
    await office.restart();
    await visit.hears(restarted);
    office.world.telegram.press(visit.person, live, "Stop");
    await office.world.telegram.waitFor(() => shown(live) === undefined);
    await expectSettled(visit, { says: [restarted], turns: 1, sign: "failed" });
  });
});

describe("F-27 killed while a person is asked", () => {
  const escalated = shell("echo it-$((20+22))-ran", { escalated: true, justification: "the test wants it" });
  const asks: Plan = (request) => (request.lastOutput === undefined ? [escalated] : undefined);
  const card = /^Milo asks: run a command/;
  const openCard = async (visit: Visit) => {
    visit.ask();
    const asked = await visit.hears(card);
    await office.world.allPosted();
    return asked;
  };

  it("the card is closed, a press on it says so, and Try again asks anew", async () => {
    const { telegram } = office.world;
    const visit = await office.visit(asks);
    const old = await openCard(visit);
    await office.kill();
    const press = telegram.press(visit.person, old, "Approve");
    await office.restart();
    const notice = await visit.hears(restarted);
    await telegram.waitFor(() => press.answer());
    expect(shown(old)?.keyboard).toEqual([]);
    await expectSettled(visit, { says: [card, restarted], turns: 1, sign: "failed" });

    telegram.press(visit.person, notice, "Try again");
    const anew = await telegram.waitForMessage(visit.person, ({ id, text }) => id > notice.id && card.test(text));
    telegram.press(visit.person, anew, "Approve");
    await visit.hears(visit.answer);
    expect(office.world.model.requests.at(-1)?.lastOutput).toContain("it-42-ran");
    await expectSettled(visit, { says: [card, restarted, card, visit.answer], turns: 2, sign: "done" });
  });

  const decided = { table: "attention", on: "update", when: "new.status = 'approved'" } as const;
  const announced = { table: "bullmq.job", on: "insert", when: "new.queue = 'control'" } as const;
  const points: readonly (readonly [string, BreakpointSpec, WriteOutcome])[] = [
    ["the decision is not stored", { ...decided, at: "commit" }, "lost"],
    ["the decision is stored", { ...decided, at: "commit" }, "committed"],
    ["the worker was not woken", announced, "lost"],
    ["the worker was woken", announced, "committed"],
  ];
  it.each(points)("the presser is told and nothing runs twice, when %s", async (_, spec, outcome) => {
    const { telegram } = office.world;
    const visit = await office.visit(asks);
    const old = await openCard(visit);
    await office.killAt(spec, () => void telegram.press(visit.person, old, "Approve"), outcome);
    await office.restart();
    const notice = await visit.hears(restarted);
    await expectSettled(visit, { says: [card, restarted], turns: 1, sign: "failed" });
    expect(shown(old)?.keyboard).toEqual([]);

    telegram.press(visit.person, notice, "Try again");
    const anew = await telegram.waitForMessage(visit.person, ({ id, text }) => id > notice.id && card.test(text));
    telegram.press(visit.person, anew, "Approve");
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [card, restarted, card, visit.answer], turns: 2, sign: "done" });
  });
});
