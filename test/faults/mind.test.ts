import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, gate, waitFor } from "../fakes/model/index.ts";
import type { BreakpointSpec } from "../support/breakpoint.ts";
import { expectSettled, type Office, openOffice, type Plan, restarted, type WriteOutcome } from "./office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

const remember = (text: string) => [call("shipmate", "remember", { text })];
/** Remembers a fact, then gives the plain answer. */
const keeps =
  (text: string): Plan =>
  (request) =>
    request.lastOutput === undefined ? remember(text) : undefined;

const remembered = (text: string) => office.world.query("select text from memories where text = $1", [text]);
const pending = () => office.world.query("select op from memory_pending");

describe("killed in a turn that remembers something", () => {
  it("before it ended: nothing is remembered, and Try again remembers it once", async () => {
    const fact = "The harbour closes at nine.";
    const thinking = gate();
    const visit = await office.visit((request, turn) =>
      turn === 1 && request.lastOutput !== undefined ? [waitFor(thinking)] : keeps(fact)(request, turn),
    );
    visit.ask();
    await thinking.reached;
    expect(await pending()).toHaveLength(1);
    await office.kill();
    await office.restart();
    const notice = await visit.hears(restarted);
    expect([await remembered(fact), await pending()]).toEqual([[], []]);

    office.world.telegram.press(visit.person, notice, "Try again");
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [restarted, visit.answer], turns: 2, sign: "done" });
    expect(await remembered(fact)).toHaveLength(1);
  });

  const fact = (nth: number) => `Gate ${nth} is locked.`;
  const points: readonly (readonly [string, (text: string) => BreakpointSpec, WriteOutcome])[] = [
    [
      "the fact is not written down",
      (text) => ({ table: "memories", on: "insert", when: `new.text = '${text}'` }),
      "lost",
    ],
    [
      "the fact and the answer are written down",
      (text) => ({ table: "memories", on: "insert", when: `new.text = '${text}'`, at: "commit" }),
      "committed",
    ],
  ];
  it.each(points)("when %s: it is answered once, and remembered once", async (name, spec, outcome) => {
    const text = fact(points.findIndex(([each]) => each === name));
    const visit = await office.visit(keeps(text));
    await office.killAt(spec(text), () => visit.ask(), outcome);
    await office.restart();
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
    expect([await remembered(text), await pending()]).toEqual([[{ text }], []]);
  });
});

describe("killed while a fresh thread takes the place of one whose tools changed", () => {
  const bound = { table: "codex_threads", on: "insert" } as const;
  const points: readonly (readonly [string, BreakpointSpec, WriteOutcome])[] = [
    ["it is not noted", bound, "lost"],
    ["it is noted", { ...bound, at: "commit" }, "committed"],
  ];
  it.each(points)("when %s: it is answered once, and told what was said before once", async (_, spec, outcome) => {
    const { world } = office;
    const visit = await office.visit();
    visit.ask();
    await visit.hears(visit.answer);
    await world.allPosted();
    await world.query("update codex_threads set tools_fingerprint = 'earlier' where status <> 'retired'");

    await office.killAt(spec, () => visit.ask(), outcome);
    await office.restart();
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [visit.answer], turns: 2, sign: "done" });
    const last = world.model.requests.findLast((request) => request.text.includes(`question ${visit.id}`));
    expect(last?.text.match(/<earlier_conversation>/gu)).toHaveLength(1);
  });
});
