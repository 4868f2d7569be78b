import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import { expectSettled, type Office, openOffice, processesOf, restarted } from "./office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

describe("F-21 told to stop in the middle of a turn", () => {
  it("lets the turn finish, answers, and ends with nothing cut", async () => {
    const thinking = gate();
    const visit = await office.visit((_, turn) => (turn === 1 ? [waitFor(thinking), say("Just in time.")] : undefined));
    visit.ask();
    await thinking.reached;
    const ended = office.stop();
    await office.shipmate.says(/Stopping: no new work is taken/);
    thinking.open();
    expect(await ended).toBe(0);
    expect(office.shipmate.output()).toMatch(/^Stopped\.$/m);
    await expectSettled(visit, { says: [/^Just in time\.\s+Milo/], turns: 1, sign: "done" });
    expect(await processesOf(office.world.home)).toEqual([]);
  });

  it("ends what takes too long, says how many, and offers Try again", async () => {
    const visit = await office.visit((_, turn) =>
      turn === 1 ? [say("A first thought.", { phase: "commentary" }), waitFor(gate())] : undefined,
    );
    visit.ask();
    await office.world.telegram.waitFor(() => office.world.telegram.chat(visit.person).draft?.text.includes("thought"));
    expect(await office.stop()).toBe(0);
    expect(office.shipmate.output()).toMatch(/^Stopped\. 1 task was cut short/m);
    expect(await processesOf(office.world.home)).toEqual([]);
    await office.restart();
    const notice = await visit.hears(restarted);
    expect(notice.text).toContain("A first thought.");
    await expectSettled(visit, { says: [restarted], turns: 1, sign: "failed" });
    office.world.telegram.press(visit.person, notice, "Try again");
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [restarted, visit.answer], turns: 2, sign: "done" });
  });

  it("ends at once at the second signal, and tells after the next start", async () => {
    const thinking = gate();
    const visit = await office.visit((_, turn) => (turn === 1 ? [waitFor(thinking)] : undefined));
    visit.ask();
    await thinking.reached;
    const ended = office.stop();
    await office.shipmate.says(/Stopping: no new work is taken/);
    await office.stop();
    expect(await ended).toBe(130);
    await office.restart();
    await visit.hears(restarted);
    await expectSettled(visit, { says: [restarted], turns: 1, sign: "failed" });
  });

  it("keeps what arrives meanwhile for the next start", async () => {
    const thinking = gate();
    const visit = await office.visit((_, turn) => (turn === 1 ? [waitFor(thinking), say("Just in time.")] : undefined));
    const later = await office.visit();
    visit.ask();
    await thinking.reached;
    const ended = office.stop();
    await office.shipmate.says(/Stopping: no new work is taken/);
    later.ask();
    thinking.open();
    await ended;
    expect(later.said()).toEqual([]);
    await office.restart();
    await later.hears(later.answer);
    await expectSettled(later, { says: [later.answer], turns: 1, sign: "done" });
    await expectSettled(visit, { says: [/^Just in time\.\s+Milo/], turns: 1, sign: "done" });
  });
});
