import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../src/people/index.ts";
import { type Desk, openDesk, publish } from "./desk.ts";

const hour = 3_600_000;

describe("a denial with a reason", () => {
  let desk: Desk;
  let ada: Person;
  beforeAll(async () => {
    desk = await openDesk({ forms: true, persona: "native" });
  });
  afterAll(() => desk[Symbol.asyncDispose]());
  beforeEach(async () => {
    await desk.reset();
    ada = await desk.person("Ada", "member");
  });
  const form = (token: string, person: Person) => desk.attention.formFor(desk.db, token, person);

  it("is asked for in a form, which says who reads it, and which uses nothing up", async () => {
    const id = await desk.open(ada);
    const [card] = desk.platform.seen(desk.group);
    expect(card?.buttons.map(({ label, opensForm }) => [label, opensForm]).slice(0, 3)).toEqual([
      ["Approve", undefined],
      ["Deny", undefined],
      ["Deny…", true],
    ]);
    const expected = { title: "Deny", label: "Why? Milo reads this", long: true, required: true };
    expect(await form(desk.token("Deny…"), ada)).toEqual(expected);
    expect(await form(desk.token("Deny…"), ada)).toEqual(expected);
    expect((await desk.item(id)).status).toBe("open");
  });

  it("opens no form for those who may not decide, for other buttons, or when it is too late", async () => {
    await desk.open(ada);
    const [deny, plain] = [desk.token("Deny…"), desk.token("Approve")];
    expect(await form(deny, await desk.person("Ben", "member"))).toBeUndefined();
    expect(await form(plain, ada)).toBeUndefined();
    expect(await form("no-such-token", ada)).toBeUndefined();
    await desk.press(plain, ada);
    expect(await form(deny, ada)).toBeUndefined();
  });

  it("denies, keeps the reason without secrets, and says on the card who denied", async () => {
    const id = await desk.open(ada);
    const note = `Use the other branch, not sk-${"a".repeat(40)}`;
    const result = await desk.press(desk.token("Deny…"), ada, undefined, { note });
    expect(result).toMatchObject({ kind: "done", action: "decided", answer: "Denied. Milo gets your note." });
    expect((await desk.item(id)).decision).toEqual({
      choice: "deny",
      by: { id: ada.id, name: "Ada" },
      note: "Use the other branch, not [secret]",
    });
    const [card] = desk.platform.seen(desk.group);
    expect(card?.text).toContain("Denied by Ada");
    expect(card?.text).not.toContain("other branch");
    expect(card?.buttons).toEqual([]);
  });

  it("is a plain denial where nothing was written, and no other button takes a reason", async () => {
    const first = await desk.open(ada);
    await desk.press(desk.token("Deny…"), ada, undefined, { note: "  \n" });
    expect((await desk.item(first)).decision).toMatchObject({ choice: "deny" });
    expect((await desk.item(first)).decision?.note).toBeUndefined();
    const second = await desk.open(ada);
    await desk.press(desk.token("Approve"), ada, undefined, { note: "smuggled" });
    expect((await desk.item(second)).decision?.note).toBeUndefined();
  });

  it("F-29 counts once: a form filled in after somebody decided changes nothing", async () => {
    const id = await desk.open(ada);
    const deny = desk.token("Deny…");
    await desk.press(desk.token("Approve"), ada);
    const late = await desk.press(deny, ada, undefined, { note: "No!" });
    expect(late).toMatchObject({ kind: "already", text: expect.stringContaining("Ada already approved this") });
    expect((await desk.item(id)).decision).toMatchObject({ choice: "approve" });
  });

  it("reaches the teammate in a new run where its turn is over", async () => {
    await desk.open(ada, { details: publish });
    await desk.endRun();
    await desk.unit((unit) => desk.attention.cancelRun(unit, desk.runId, "turn_ended"));
    await desk.pass(hour);
    await desk.press(desk.token("Deny…"), ada, undefined, { note: "Wait for\nMonday." });
    const [delivery] = await desk.deliveries();
    expect(delivery?.text).toContain("denied by Ada");
    expect(delivery?.text).toContain("Note from Ada:\n> Wait for\n> Monday.");
  });

  it("comes under the teammate's own name, also when the card is closed", async () => {
    await desk.open(ada);
    expect(desk.platform.seen(desk.group)[0]).toMatchObject({ persona: { name: "Milo" } });
    await desk.press(desk.token("Deny"), ada);
    expect(desk.platform.seen(desk.group)[0]).toMatchObject({ persona: { name: "Milo" }, buttons: [] });
  });
});

describe("copies of a card on another platform", () => {
  let desk: Desk;
  let ada: Person;
  let owner: Person;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk[Symbol.asyncDispose]());
  beforeEach(async () => {
    await desk.reset();
    ada = await desk.person("Ada", "member");
    owner = await desk.person("Ben", "owner");
  });

  it("F-29 are closed with who decided, and where that was not there, with where", async () => {
    const channel = await desk.reachableElsewhere(owner);
    await desk.open(ada, { details: publish, risk: "high" });
    expect(desk.other.seen(channel)[0]?.text).toMatch(/\n\nfor Ada$/u);
    expect(desk.platform.seen(desk.group)[0]?.text).not.toContain("for Ada");
    const copy = desk.token("Approve", channel);
    await desk.press(copy, owner, undefined, { elsewhere: true });
    expect(desk.other.seen(channel)[0]).toMatchObject({
      text: expect.stringMatching(/\n\nfor Ada\n\n\*\*Approved by Ben · \d\d:\d\d UTC\*\*$/u),
      buttons: [],
    });
    expect(desk.platform.seen(desk.group)[0]).toMatchObject({
      text: expect.stringMatching(/\*\*Answered in Elsewhere by Ben · \d\d:\d\d UTC · approved\*\*$/u),
      buttons: [],
    });
  });

  it("offer no form where there is none", async () => {
    const channel = await desk.reachableElsewhere(owner);
    await desk.open(ada, { details: publish, risk: "high" });
    expect(desk.other.seen(channel)[0]?.buttons.map((button) => button.label)).toEqual(["Approve", "Deny", "Stop"]);
  });
});
