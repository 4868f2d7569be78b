import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Question } from "../../src/attention/index.ts";
import type { Person } from "../../src/people/index.ts";
import { type Desk, openDesk } from "./desk.ts";

const minute = 60_000;

function question(id: string, text: string, labels: readonly string[] = [], more: Partial<Question> = {}): Question {
  const options = labels.map((label) => ({ label }));
  return {
    id,
    header: id,
    question: text,
    options,
    multiple: false,
    secret: false,
    free: true,
    skippable: true,
    ...more,
  };
}

const branch = question("Branch", "which branch should I use?", ["main", "release/2.4"]);
const reviewer = question("Reviewer", "who reviews it?", ["Ada", "Ben"]);
const parts = question("Parts", "what goes into it?", ["docs", "tests", "code"], { multiple: true });

describe("a question", () => {
  let desk: Desk;
  let ada: Person;
  let ben: Person;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk[Symbol.asyncDispose]());
  beforeEach(async () => {
    await desk.reset();
    await desk.person("Owner", "owner");
    ada = await desk.person("Ada", "member");
    ben = await desk.person("Ben", "member");
  });

  const card = (channel: string = desk.group) => {
    const found = desk.platform.seen(channel).at(-1);
    if (found === undefined) throw new Error("no card");
    return found;
  };
  const labels = (channel?: string) => card(channel).buttons.map(({ label }) => label);
  const fill = async (label: string, by: Person, text: string) => {
    const result = await desk.press(desk.token(label), by, undefined, { note: text });
    return result;
  };
  const reply = async (by: Person, text: string) => {
    const to = { ...desk.inPrivate(desk.group), channel: desk.group, messageId: card().id };
    const result = await desk.unit((unit) => desk.attention.reply(unit, to, by, text));
    await desk.settled();
    return result;
  };

  it("is asked in words, answered by one press, and says who chose what", async () => {
    const id = await desk.ask(ada, [branch]);
    expect(card().text).toBe("**Milo asks: which branch should I use?**");
    expect(labels()).toEqual(["main", "release/2.4", "Other…", "Skip"]);
    expect(await desk.press(desk.token("main"), ada)).toEqual({
      kind: "done",
      action: "answered",
      payload: { attentionId: id, choice: "answer" },
      answer: "Thanks, Milo has your answer.",
    });
    expect(card().text).toBe("**Milo asks: which branch should I use?**\n\n**main · chosen by Ada**");
    expect(labels()).toEqual([]);
    expect(await desk.item(id)).toMatchObject({
      status: "answered",
      decision: { choice: "answer", by: { name: "Ada" }, answers: { Branch: { kind: "chosen", values: ["main"] } } },
    });
    await expect.poll(() => desk.announced).toContain(id);
  });

  it("is for whom it is asked and for managers, and a refusal changes nothing", async () => {
    const id = await desk.ask(ada, [branch]);
    expect(await desk.press(desk.token("main"), ben)).toEqual({
      kind: "refused",
      text: "Only Ada or a manager can answer this.",
    });
    expect((await desk.press(desk.token("main"), null)).kind).toBe("refused");
    expect((await desk.item(id)).status).toBe("open");
    const manager = await desk.person("Manager", "manager");
    expect(await desk.press(desk.token("main"), manager)).toMatchObject({ kind: "done" });
  });

  it("that nobody asked for goes to the owner as well", async () => {
    await desk.ask(null, [branch]);
    expect(card("dm-owner").text).toContain("which branch should I use?");
    expect(await desk.press(desk.token("main", "dm-owner"), ada)).toMatchObject({
      kind: "refused",
      text: "Only a manager can answer this.",
    });
  });

  it("takes own words from a form, and the name of an option as that option", async () => {
    await desk.ask(ada, [branch]);
    const form = await desk.attention.formFor(desk.db, desk.token("Other"), ada);
    expect(form).toEqual({ title: "Answer", label: "Your answer for Milo", long: true, required: true });
    expect(await desk.attention.formFor(desk.db, desk.token("Other"), ben)).toBeUndefined();
    expect(await fill("Other", ada, "  ")).toMatchObject({ kind: "invalid" });
    expect(await fill("Other", ada, "a new one, *please*")).toMatchObject({ kind: "done" });
    expect(card().text).toContain("a new one, \\*please\\* · answered by Ada");
    const second = await desk.ask(ada, [branch]);
    await fill("Other", ada, "MAIN");
    expect((await desk.item(second)).decision?.answers).toEqual({ Branch: { kind: "chosen", values: ["main"] } });
  });

  it("takes a reply to its card, of whom it is asked; anybody else's reply is a message", async () => {
    const id = await desk.ask(ada, [branch]);
    expect(await reply(ben, "main")).toBeNull();
    expect((await desk.item(id)).status).toBe("open");
    expect(await reply(ada, "the one with the fix")).toMatchObject({ kind: "done" });
    expect(card().text).toContain("the one with the fix · answered by Ada");
    expect(await reply(ada, "once more")).toBeNull();
  });

  it("can be skipped", async () => {
    const id = await desk.ask(ada, [branch]);
    await desk.press(desk.token("Skip"), ada);
    expect(await desk.item(id)).toMatchObject({ status: "skipped", decision: { choice: "skip" } });
    expect(card().text).toContain("**Skipped by Ada**");
  });

  it("answered twice says who was first", async () => {
    await desk.ask(ada, [branch]);
    const [main, other] = [desk.token("main"), desk.token("release/2.4")];
    const results = await Promise.all([desk.press(main, ada), desk.press(other, ada)]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(["already", "done"]);
    expect(await desk.press(main, ada)).toMatchObject({
      kind: "already",
      text: expect.stringContaining("Ada already answered this at"),
    });
  });

  it("of several comes one after another, with the answers so far", async () => {
    const id = await desk.ask(ada, [branch, parts, reviewer]);
    expect(card().text).toBe("**Milo asks (1 of 3): which branch should I use?**");
    const old = desk.token("main");
    await desk.press(old, ada);
    expect(card().text).toContain("✓ Branch: main\n\n**Milo asks (2 of 3): what goes into it?**");
    expect(await desk.press(old, ada)).toMatchObject({ kind: "already" });
    // Another process knows as much: everything is read from the row.
    desk.restart();
    await desk.press(desk.token("Skip"), ada);
    expect(card().text).toContain("✓ Parts: skipped");
    expect((await desk.item(id)).status).toBe("open");
    await desk.press(desk.token("Ben"), ada);
    expect(card().text).toBe("✓ Branch: main\n✓ Parts: skipped\n✓ Reviewer: Ben\n\n**Answered by Ada**");
    expect((await desk.item(id)).decision?.answers).toMatchObject({
      Branch: { values: ["main"] },
      Parts: { kind: "skipped", values: [] },
      Reviewer: { values: ["Ben"] },
    });
  });

  it("with several choices is ticked until it is done", async () => {
    const id = await desk.ask(ada, [parts]);
    expect(labels()).toEqual(["docs", "tests", "code", "Done", "Other…", "Skip"]);
    expect(await desk.press(desk.token("Done"), ada)).toMatchObject({ kind: "invalid" });
    const [docs, code] = [desk.token("docs"), desk.token("code")];
    // The second press comes before the card was drawn anew.
    await Promise.all([desk.press(code, ada), desk.press(docs, ada)]);
    expect(labels()).toEqual(["✓ docs", "tests", "✓ code", "Done", "Other…", "Skip"]);
    expect(await desk.press(docs, ada)).toMatchObject({ kind: "already" });
    await desk.press(desk.token("✓ code"), ada);
    await desk.press(desk.token("tests"), ada);
    await desk.press(desk.token("Done"), ada);
    expect((await desk.item(id)).decision?.answers).toEqual({ Parts: { kind: "chosen", values: ["docs", "tests"] } });
    expect(card().text).toContain("docs, tests · chosen by Ada");
  });

  it("with many or long options is a list", async () => {
    const options = ["one", "two", "three", "four"].map((label) => ({ label, description: `about ${label}` }));
    await desk.ask(ada, [{ ...branch, options }]);
    expect(card().selects).toMatchObject([
      { label: "Branch", options: [{ label: "one", description: "about one" }, {}, {}, {}] },
    ]);
    expect(labels()).toEqual(["Other…", "Skip"]);
    expect(card().text).toContain("- **one**: about one");
    await desk.press(desk.token("three"), ada);
    expect(card().text).toContain("three · chosen by Ada");
  });

  it("that is long is whole in a file", async () => {
    await desk.ask(ada, [question("Plan", `Shall I?\n${"why not ".repeat(200)}`, ["yes"])]);
    expect(desk.platform.seen(desk.group).map(({ file }) => file)).toEqual(["questions.txt", undefined]);
    expect(card().text).toContain("**Milo asks: Plan**");
    expect(card().text.length).toBeLessThan(2_000);
  });

  it("stands in the list of what waits, reminds once and expires", async () => {
    const id = await desk.ask(ada, [branch]);
    expect(await desk.attention.listOpenFor(desk.db, ada)).toMatchObject([
      { id, summary: "which branch should I use?" },
    ]);
    expect(await desk.attention.listOpenFor(desk.db, ben)).toEqual([]);
    await desk.pass(11 * minute);
    expect(desk.platform.texts(desk.group)).toContain("Milo is still waiting for your answer.");
    const main = desk.token("main");
    await desk.pass(24 * 60 * minute);
    expect((await desk.item(id)).status).toBe("expired");
    expect(await desk.press(main, ada)).toEqual({
      kind: "already",
      text: "This has expired, so your answer was not taken.",
    });
  });

  it("answered after its turn starts a new one that says question and answer", async () => {
    const id = await desk.ask(ada, [branch, reviewer]);
    await desk.press(desk.token("main"), ada);
    await desk.unit((unit) => desk.attention.cancelRun(unit, desk.runId, "turn_ended"));
    await desk.endRun();
    expect((await desk.item(id)).late).toBe(true);
    await fill("Other", ada, "whoever is\nawake");
    const [delivery, ...more] = await desk.deliveries();
    expect(more).toEqual([]);
    expect(delivery).toMatchObject({ trigger: "answer", requester: ada.id, author: "system" });
    expect(delivery?.text).toContain("Question:\n> which branch should I use?\nAnswer:\n> main");
    expect(delivery?.text).toContain("Answer:\n> whoever is\n> awake");
  });

  it("of Codex itself ends with its turn", async () => {
    const id = await desk.ask(ada, [branch], { method: "user_input" });
    await desk.unit((unit) => desk.attention.cancelRun(unit, desk.runId, "turn_ended"));
    await desk.settled();
    expect((await desk.item(id)).status).toBe("cancelled");
    expect(card().text).toContain("**No longer needed**");
    expect(await desk.deliveries()).toEqual([]);
  });

  it("of a connected tool is declined, or answered as its fields want", async () => {
    const amount = question("amount", "How many", [], {
      skippable: false,
      check: { kind: "integer", least: 1, most: 9 },
    });
    const server = { name: "shop", message: "Your order?" };
    const details = {
      kind: "question",
      questions: [amount, { ...branch, skippable: false, free: false }],
      server,
    } as const;
    const id = await desk.open(ada, { kind: "elicitation", method: "elicitation", details });
    expect(card().text).toBe(
      "**Milo asks, for shop: Your order?**\n\n**1 of 2: How many**\n\nPress “Answer…”, or reply to this message.",
    );
    expect(labels()).toEqual(["Answer…", "Decline"]);
    expect(await fill("Answer", ada, "many")).toEqual({ kind: "invalid", text: "That is not a whole number." });
    expect(await fill("Answer", ada, "10")).toEqual({ kind: "invalid", text: "It has to be from 1 to 9." });
    expect(await reply(ada, "2")).toMatchObject({ kind: "done" });
    expect(labels()).toEqual(["main", "release/2.4", "Decline"]);
    expect(await reply(ada, "something else")).toEqual({ kind: "invalid", text: "Please choose one of the options." });
    await desk.press(desk.token("Decline"), ada);
    expect(await desk.item(id)).toMatchObject({ status: "denied", decision: { choice: "deny" } });
    expect(card().text).toContain("Declined by Ada");
  });

  describe("that must not be answered in a chat", () => {
    const secret = question("Password", "what is the portal's password?", [], { secret: true });
    const value = "correct horse 42";
    const pageOf = (url: string | undefined) => url?.split("/").at(-1) ?? "";
    const submit = (url: string | undefined, answer: string) =>
      desk.webForms.submit(desk.db, pageOf(url), { answer }, { question: desk.attention.takePage });
    const dump = async () => {
      const tables = ["attention", "web_forms", "posts", "messages", "audit_log", "action_tokens"] as const;
      const rows = await Promise.all(tables.map((table) => desk.db.selectFrom(table).selectAll().execute()));
      return JSON.stringify(rows);
    };

    it("has a page of its own in a private chat; the answer is kept sealed until its turn takes it, once", async () => {
      const id = await desk.ask(ada, [secret], { to: desk.inPrivate("dm-ada") });
      const { links, text } = card("dm-ada");
      expect(links).toEqual([
        { label: "Open the page", url: expect.stringMatching(/^https:\/\/shipmate\.example\/f\//) },
      ]);
      expect(text).toContain("Never write it in a chat.");
      expect(labels("dm-ada")).toEqual(["Skip"]);
      expect(await submit(links[0]?.url, value)).toEqual({ kind: "done", text: "Milo has your answer and goes on." });
      await desk.settled();
      expect(card("dm-ada").text).toContain("**Answered by Ada**");
      expect(await dump()).not.toContain(value);
      expect(await submit(links[0]?.url, "again")).toEqual({ kind: "over" });
      const item = await desk.item(id);
      expect(item.decision?.answers).toEqual({ Password: { kind: "secret", values: [] } });
      const takers = await Promise.all([1, 2].map(() => desk.unit((unit) => desk.attention.take(unit, id))));
      expect(takers.filter((taken) => taken !== null)).toEqual([{ Password: value }]);
      const { sealed } = await desk.db
        .selectFrom("attention")
        .select("sealed")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      expect(sealed).toBeNull();
    });

    it("shows no link where others read along: whoever may answer is given a page of their own", async () => {
      const id = await desk.ask(ada, [secret]);
      expect(card().links).toEqual([]);
      expect(labels()).toEqual(["Answer in private", "Skip"]);
      expect(await desk.press(desk.token("Answer in private"), ben)).toMatchObject({ kind: "refused" });
      const payload = { attentionId: id, questionId: "Password" };
      expect(await desk.press(desk.token("Answer in private"), ada)).toEqual({
        kind: "done",
        action: "secret_page",
        payload,
      });
      const page = await desk.unit((unit) => desk.attention.secretPage(unit, id, "Password", ada));
      expect(await desk.unit((unit) => desk.attention.secretPage(unit, id, "Password", ben))).toBeNull();
      expect(await submit(page?.url, value)).toMatchObject({ kind: "done" });
      expect((await desk.item(id)).decision?.by?.name).toBe("Ada");
    });

    it("takes no reply", async () => {
      const id = await desk.ask(ada, [secret]);
      expect(await reply(ada, value)).toMatchObject({
        kind: "refused",
        text: expect.stringContaining("don't write that here"),
      });
      expect((await desk.item(id)).status).toBe("open");
      expect(await dump()).not.toContain(value);
    });

    it("expires when its turn stops waiting, and leaves nothing behind", async () => {
      const to = desk.inPrivate("dm-ada");
      const id = await desk.ask(ada, [secret, { ...secret, id: "Second" }], { to });
      const first = card("dm-ada").links[0]?.url;
      expect(await submit(first, value)).toMatchObject({ kind: "done" });
      await desk.settled();
      const second = card("dm-ada").links[0]?.url;
      expect(second).not.toBe(first);
      expect(await desk.unit((unit) => desk.attention.markLate(unit, id))).toBe(false);
      await desk.settled();
      expect(await desk.item(id)).toMatchObject({ status: "expired", decision: { choice: "expired" } });
      expect(card("dm-ada").text).toContain("**Expired**");
      expect(await submit(second, value)).toEqual({ kind: "over" });
      const { sealed } = await desk.db
        .selectFrom("attention")
        .select("sealed")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      expect(sealed).toBeNull();
      expect(await desk.deliveries()).toEqual([]);
    });
  });
});
