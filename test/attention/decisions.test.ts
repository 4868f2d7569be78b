import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { issueTokens, listRules, matchingRule, revokeRule } from "../../src/attention/index.ts";
import type { Person } from "../../src/people/index.ts";
import { type Desk, openDesk, publish } from "./desk.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("a decision", () => {
  let desk: Desk;
  let ada: Person;
  let member: Person;
  let owner: Person;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk[Symbol.asyncDispose]());
  beforeEach(async () => {
    await desk.reset();
    ada = await desk.person("Ada", "member", { timezone: "Asia/Tokyo" });
    member = await desk.person("Another", "member");
    owner = await desk.person("Owner", "owner");
  });

  it("of the requester counts, is on the card, and wakes the worker", async () => {
    const id = await desk.open(ada);
    const result = await desk.press(desk.token("Approve"), ada);

    expect(result).toEqual({
      kind: "done",
      action: "decided",
      payload: { attentionId: id, choice: "approve" },
      answer: "Approved.",
    });
    const item = await desk.item(id);
    expect(item).toMatchObject({
      status: "approved",
      decision: { choice: "approve", by: { id: ada.id, name: "Ada" } },
    });
    const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Asia/Tokyo" });
    const [card] = desk.platform.seen(desk.group);
    expect(card?.buttons).toEqual([]);
    expect(card?.text).toContain("npm run build");
    expect(card?.text).toContain(`Approved by Ada · ${time.format(item.decidedAt ?? undefined)}`);
    await expect.poll(() => desk.announced).toContain(id);
    expect(await desk.audit()).toEqual([{ action: "attention.decided", target: id, by: ada.id }]);
  });

  it("F-28 is not for other members, not for strangers, and a refusal uses nothing up", async () => {
    const id = await desk.open(ada);
    const approve = desk.token("Approve");

    expect(await desk.press(approve, member)).toEqual({
      kind: "refused",
      text: "Only Ada or a manager can decide this.",
    });
    expect((await desk.press(approve, null)).kind).toBe("refused");
    expect((await desk.item(id)).status).toBe("open");
    expect(await desk.press(approve, ada)).toMatchObject({ kind: "done" });
  });

  it("on something nobody asked for is for managers and above, never for everybody", async () => {
    const id = await desk.open(null);
    expect(await desk.press(desk.token("Approve"), ada)).toEqual({
      kind: "refused",
      text: "Only a manager can decide this.",
    });
    const manager = await desk.person("Manager", "manager");
    expect(await desk.press(desk.token("Approve"), manager)).toMatchObject({ kind: "done" });
    expect((await desk.item(id)).status).toBe("approved");
  });

  it("of high risk is the owner's or an admin's, who has the card privately too", async () => {
    const id = await desk.open(ada, { details: publish, risk: "high" });
    const manager = await desk.person("Manager", "manager");
    for (const person of [ada, manager]) {
      expect(await desk.press(desk.token("Approve"), person)).toEqual({
        kind: "refused",
        text: "Only an owner or admin can decide this.",
      });
    }
    expect(desk.platform.texts("dm-owner")[0]).toContain("Milo asks: publish the report");
    expect(desk.platform.texts("dm-owner")[0]).toContain("This can't be undone.");

    expect(await desk.press(desk.token("Deny", "dm-owner"), owner)).toMatchObject({ kind: "done", answer: "Denied." });
    expect((await desk.item(id)).status).toBe("denied");
    for (const place of [desk.group, "dm-owner"]) {
      const [card] = desk.platform.seen(place);
      expect(card?.text).toMatch(/Denied by Owner · \d\d:\d\d UTC/);
      expect(card?.buttons).toEqual([]);
    }
  });

  it("F-29 is made by the first of two who press at once; the second learns who", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await desk.open(ada);
      const [approve, deny] = [desk.token("Approve"), desk.token("Deny")];
      const results = await Promise.all([desk.press(approve, ada), desk.press(deny, owner)]);

      expect(results.map((result) => result.kind).sort()).toEqual(["already", "done"]);
      const { status } = await desk.item(id);
      const winner = status === "approved" ? "Ada already approved" : "Owner already denied";
      const loser = results.find((result) => result.kind === "already");
      expect(loser).toMatchObject({ text: expect.stringContaining(winner) });
    }
    const decided = (await desk.audit()).filter((entry) => entry.action === "attention.decided");
    expect(decided).toHaveLength(5);
  });

  it("F-26 of an old button never touches a newer request", async () => {
    const first = await desk.open(ada);
    const old = desk.token("Approve");
    await desk.press(old, ada);
    const second = await desk.open(ada);

    expect(await desk.press(old, ada)).toMatchObject({
      kind: "already",
      text: expect.stringContaining("Ada already approved this at"),
    });
    expect((await desk.item(second)).status).toBe("open");
    expect((await desk.item(first)).status).toBe("approved");
    expect(await desk.press("made-up-token", ada)).toEqual({
      kind: "unknown",
      text: "This button is no longer active.",
    });
  });

  it("F-27 works after a restart, as only rows are needed", async () => {
    const id = await desk.open(ada);
    const approve = desk.token("Approve");
    desk.restart();

    expect(await desk.press(approve, ada)).toMatchObject({ kind: "done" });
    expect((await desk.item(id)).status).toBe("approved");
  });

  it("F-29 closes also the copy whose receipt was lost", async () => {
    desk.platform.breaksNext("response lost");
    await desk.open(ada);
    await desk.pass(minute);
    const [stray, repeat] = desk.platform.seen(desk.group);
    expect(repeat?.text).toContain("♻︎ This may be a repeat");
    const press = () => desk.press(stray?.buttons[0]?.token ?? "", ada, stray?.id);

    expect(await press()).toMatchObject({ kind: "done" });
    for (const card of desk.platform.seen(desk.group)) {
      expect(card.buttons).toEqual([]);
      expect(card.text).toContain("Approved by Ada");
    }
    const edits = () => desk.platform.calls.filter((call) => call.op === "edit").length;
    expect(edits()).toBe(2);
    expect(await press()).toMatchObject({ kind: "already" });
    expect(edits()).toBe(2);
  });

  it("F-32 is asked for again once after ten minutes, and too late after the deadline", async () => {
    const id = await desk.open(ada);
    const approve = desk.token("Approve");
    await desk.pass(9 * minute);
    expect(desk.platform.texts(desk.group)).toHaveLength(1);
    await desk.pass(2 * minute);
    await desk.pass(30 * minute);
    const [card, reminder, ...more] = desk.platform.seen(desk.group);
    expect(reminder).toMatchObject({
      text: "Milo is still waiting for your decision.",
      replyTo: card?.id,
      notify: true,
    });
    expect(more).toEqual([]);

    await desk.pass(24 * hour);
    expect(await desk.item(id)).toMatchObject({ status: "expired", decision: { choice: "expired", by: null } });
    expect(desk.platform.seen(desk.group)[0]?.text).toContain("Expired");
    expect(desk.platform.seen(desk.group)[0]?.buttons).toEqual([]);
    expect(await desk.press(approve, ada)).toEqual({ kind: "already", text: "This has expired, so nothing was done." });
    // The turn still waits: it has to be told.
    await expect.poll(() => desk.announced).toContain(id);
  });

  it("does not count after the deadline even before anybody swept", async () => {
    const id = await desk.open(ada, { expiresAt: new Date(Date.now() - 1) });
    expect(await desk.press(desk.token("Approve"), ada)).toMatchObject({ kind: "already" });
    expect((await desk.item(id)).status).toBe("open");
  });

  it("is announced again until somebody took it", async () => {
    const id = await desk.open(ada);
    await desk.press(desk.token("Approve"), ada);
    await expect.poll(() => desk.announced).toEqual([id]);
    await desk.pass(minute);
    await expect.poll(() => desk.announced).toEqual([id, id]);

    const takers = await Promise.all([1, 2, 3].map(() => desk.unit((unit) => desk.attention.take(unit, id))));
    expect(takers.filter(Boolean)).toHaveLength(1);
    await desk.pass(minute);
    expect(desk.announced).toEqual([id, id]);
  });

  it("to stop closes the card as stopped", async () => {
    const id = await desk.open(ada);
    expect(await desk.press(desk.token("Stop"), ada)).toMatchObject({
      payload: { choice: "stop" },
      answer: "Stopping.",
    });
    expect(await desk.item(id)).toMatchObject({ status: "cancelled", decision: { choice: "stop" } });
    expect(desk.platform.texts(desk.group)[0]).toContain("Stopped by Ada");
  });

  it("F-30 always: allows exactly that prefix until it is revoked", async () => {
    await desk.open(ada);
    await desk.press(desk.token("Always"), ada);
    const matches = async (line: string) => (await matchingRule(desk.db, desk.teammate.id, line)) !== null;

    expect(await listRules(desk.db, desk.teammate.id)).toMatchObject([
      { text: "npm run build", pattern: { prefix: ["npm", "run", "build"] }, createdBy: ada.id },
    ]);
    expect(await matches("npm run build")).toBe(true);
    expect(await matches("/bin/bash -lc 'npm run build --silent'")).toBe(true);
    for (const other of ["npm run builder", "npm run", "npm test", "npm run build && rm -rf /", "npm run build; id"]) {
      expect(await matches(other)).toBe(false);
    }

    // The same again is not a second rule.
    await desk.open(ada);
    await desk.press(desk.token("Always"), owner);
    const [rule, ...more] = await listRules(desk.db, desk.teammate.id);
    expect(more).toEqual([]);
    const revoke = (by: Person) => desk.unit((unit) => revokeRule(unit, rule?.id ?? "", by, new Date()));
    expect(await revoke(member)).toBe(false);
    expect(await revoke(ada)).toBe(true);
    expect(await revoke(ada)).toBe(false);
    expect(await matches("npm run build")).toBe(false);
    expect((await desk.audit()).map((entry) => entry.action)).toEqual(
      expect.arrayContaining(["rule.added", "rule.revoked"]),
    );
  });

  it("after its turn becomes a message that states it, once", async () => {
    const id = await desk.open(ada, { details: publish, callId: "call-1" });
    expect(await desk.unit((unit) => desk.attention.markLate(unit, id))).toBe(true);
    await desk.unit((unit) => desk.attention.cancelRun(unit, desk.runId, "turn_ended"));
    await desk.endRun();
    expect((await desk.item(id)).status).toBe("open");
    desk.restart();
    await desk.press(desk.token("Approve"), owner);
    expect(await desk.deliveries()).toHaveLength(1);
    expect(await desk.unit((unit) => desk.attention.deliverLateDecision(unit, id))).toBe(false);
    await desk.pass(hour);

    const deliveries = await desk.deliveries();
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]).toMatchObject({
      trigger: "approval_decision",
      requester: ada.id,
      conversation: desk.conversationId,
      author: "system",
    });
    for (const part of ["approved by Owner", "publish the report", "as it is in report.md", "nothing beyond it"]) {
      expect(deliveries[0]?.text).toContain(part);
    }
    expect((await desk.item(id)).settledAt).not.toBeNull();
  });

  it("made in the moment the turn ends is not lost", async () => {
    const id = await desk.open(ada, { details: publish, callId: "call-1" });
    await desk.press(desk.token("Deny"), ada);
    expect(await desk.unit((unit) => desk.attention.markLate(unit, id))).toBe(false);
    await desk.unit((unit) => desk.attention.cancelRun(unit, desk.runId, "turn_ended"));

    const deliveries = await desk.deliveries();
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]?.text).toContain("denied by Ada");
  });

  it("made while the worker was dead becomes a message once the run is known to be over", async () => {
    const id = await desk.open(ada, { details: publish, callId: "call-1" });
    await desk.press(desk.token("Approve"), ada);
    // As long as its run goes on, the decision belongs to that turn.
    expect(await desk.unit((unit) => desk.attention.deliverLateDecision(unit, id))).toBe(false);
    await desk.endRun("interrupted");
    await desk.pass(minute);

    expect(await desk.deliveries()).toHaveLength(1);
    expect((await desk.item(id)).settledAt).not.toBeNull();
  });

  it("is not waited for when the run was stopped, or Codex needs it no more", async () => {
    const [own, native, elsewhere] = [
      await desk.open(ada, { details: publish, callId: "call-1" }),
      await desk.open(ada),
      await desk.open(ada),
    ];
    await desk.unit((unit) => desk.attention.resolvedElsewhere(unit, elsewhere));
    await desk.unit((unit) => desk.attention.cancelRun(unit, desk.runId, "stopped"));
    await desk.settled();

    for (const id of [own, native, elsewhere]) expect((await desk.item(id)).status).toBe("cancelled");
    const texts = desk.platform.texts(desk.group);
    expect(texts.map((text) => text.split("\n").at(-1))).toEqual([
      "**Stopped**",
      "**Stopped**",
      "**Answered elsewhere**",
    ]);
    expect(desk.platform.seen(desk.group).flatMap((message) => message.buttons)).toEqual([]);
    expect(await desk.deliveries()).toEqual([]);
  });

  it("on a native request ends with its turn; our own tool's stays open for later", async () => {
    const own = await desk.open(ada, { details: publish, callId: "call-1" });
    const native = await desk.open(ada);
    await desk.unit((unit) => desk.attention.cancelRun(unit, desk.runId, "restart"));
    await desk.settled();

    expect(await desk.item(own)).toMatchObject({ status: "open", late: true });
    expect(await desk.item(native)).toMatchObject({ status: "cancelled" });
    expect(desk.platform.texts(desk.group)[1]).toContain("No longer needed");
  });

  it("finds the request that Codex sends again", async () => {
    const id = await desk.open(ada, { codexRequestId: "command/item-1" });
    expect((await desk.attention.findByRequest(desk.db, desk.runId, "command/item-1"))?.id).toBe(id);
    expect(await desk.attention.findByRequest(desk.db, desk.runId, "command/item-2")).toBeNull();
  });

  it("F-34 is in the list of those who may make it, with a way to the card", async () => {
    const normal = await desk.open(ada);
    const high = await desk.open(ada, { details: publish, risk: "high" });
    const list = async (person: Person) => await desk.attention.listOpenFor(desk.db, person);

    expect((await list(ada)).map((each) => each.id)).toEqual([normal]);
    expect((await list(owner)).map((each) => each.id)).toEqual([normal, high]);
    expect(await list(member)).toEqual([]);
    const [card] = desk.platform.seen(desk.group);
    expect((await list(ada))[0]).toMatchObject({
      teammateName: "Milo",
      summary: "run npm run build",
      link: `https://chat.example/ops/${card?.id}`,
    });
    await desk.press(desk.token("Approve"), ada);
    expect(await list(ada)).toEqual([]);
  });

  describe("on any other button", () => {
    const issue = (more: object = {}) =>
      desk.unit((unit) =>
        issueTokens(unit, {
          choices: [
            { key: "retry", action: "retry", payload: { runId: desk.runId } },
            { key: "cancel", action: "cancel", payload: {} },
          ],
          runId: desk.runId,
          ...more,
        }),
      );

    it("is handed to whoever carries it out, once for all buttons beside it", async () => {
      const tokens = await issue();
      expect(await desk.press(tokens.retry, ada)).toEqual({
        kind: "done",
        action: "retry",
        payload: { runId: desk.runId },
      });
      for (const token of [tokens.retry, tokens.cancel]) {
        expect(await desk.press(token, member)).toMatchObject({
          kind: "already",
          text: expect.stringContaining("Ada"),
        });
      }
    });

    it("is done once when pressed many times at once", async () => {
      const tokens = await issue();
      const presses = [tokens.retry, tokens.cancel, tokens.retry, tokens.cancel].map((token) => desk.press(token, ada));
      const kinds = (await Promise.all(presses)).map((result) => result.kind);
      expect(kinds.filter((kind) => kind === "done")).toHaveLength(1);
    });

    it("is refused to others, to strangers, and after its time", async () => {
      const onlyAda = await issue({ personId: ada.id });
      expect(await desk.press(onlyAda.retry, owner)).toEqual({ kind: "refused", text: "Only Ada can do this." });
      const adaOrManager = await issue({ personId: ada.id, minRole: "manager" });
      expect(await desk.press(adaOrManager.retry, member)).toMatchObject({ kind: "refused" });
      expect(await desk.press(adaOrManager.retry, owner)).toMatchObject({ kind: "done" });
      const open = await issue();
      expect(await desk.press(open.retry, null)).toMatchObject({ kind: "refused" });
      const old = await issue({ expiresAt: new Date(Date.now() - 1) });
      expect(await desk.press(old.retry, ada)).toMatchObject({ kind: "already" });
    });
  });

  it("keeps only hashes of tokens", async () => {
    await desk.open(ada);
    const approve = desk.token("Approve");
    const stored = JSON.stringify([
      await desk.db.selectFrom("action_tokens").selectAll().execute(),
      await desk.db.selectFrom("posts").selectAll().execute(),
      await desk.db.selectFrom("attention").selectAll().execute(),
    ]);
    expect(stored).not.toContain(approve);
  });
});
