import { describe, expect, it } from "vitest";
import type { CommandEvent, InboundEvent } from "../../src/chat/index.ts";
import { type Wired, wire } from "./harness.ts";

const eventually = <T>(probe: () => T) => expect.poll(probe, { timeout: 15_000, interval: 5 });

async function heard({ events }: Wired, count = 1): Promise<InboundEvent[]> {
  await eventually(() => events.length).toBeGreaterThanOrEqual(count);
  return events;
}

function asCommand(event: InboundEvent | undefined): CommandEvent {
  if (event?.kind !== "command") throw new Error("not a command");
  return event;
}

const question = { title: "Change the rule", label: "What is allowed", long: true, required: true };
const approve = { label: "Approve", token: "tok_approve" };
const change = { label: "Change", token: "tok_change", opensForm: true };

describe("commands", () => {
  it("the word behind /shipmate is the command, and it is about the whole place", async () => {
    await using wired = await wire();
    const { slack } = wired;
    const acted = slack.command(slack.ada, slack.general, "/shipmate", "Status of &lt;all&gt;");
    const [event] = await heard(wired);
    expect(event).toMatchObject({
      kind: "command",
      name: "status",
      argument: "of <all>",
      wholePlace: true,
      author: { id: slack.ada, name: "Ada" },
      place: { channel: slack.general, kind: "channel" },
      interaction: { id: expect.any(String) },
    });
    expect(event?.place.thread).toBeUndefined();
    await slack.waitFor(() => acted.state() === "acked");
  });

  it("/shipmate alone is help, and ask without a question is not shown to anybody", async () => {
    await using wired = await wire();
    const { slack } = wired;
    slack.command(slack.ada, slack.general, "/shipmate");
    slack.command(slack.ada, slack.general, "/shipmate", "ask ");
    const names = (await heard(wired, 2)).map((event) => asCommand(event).name);
    expect(names.sort()).toEqual(["ask", "help"]);
    expect(slack.messages(slack.general)).toEqual([]);
  });

  it.each(["channel", "direct message"])(
    "a question asked in a %s stands there, and its thread is the answer's",
    async (where) => {
      await using wired = await wire();
      const { slack, dm } = wired;
      const channel = where === "channel" ? slack.general : dm;
      slack.command(slack.ada, channel, "/shipmate", "ask Penny *what* is new <!channel>?");
      const event = asCommand((await heard(wired))[0]);
      expect(event).toMatchObject({ name: "ask", argument: "Penny *what* is new @channel?" });
      const [line] = slack.fromBot(channel);
      expect(line).toMatchObject({ ts: event.messageId, pings: [], threadTs: undefined });
      expect(line?.text).toContain("Ada asks:");
      expect(line?.text).toContain("what");
      expect(event.place).toMatchObject({ channel, thread: line?.ts });
      expect(event.wholePlace).toBeUndefined();
    },
  );

  it("a question pings nobody, wherever in it a token of Slack's is hidden", async () => {
    await using wired = await wire();
    const { slack } = wired;
    const hidden = "Penny [a](https://a.example/&lt;!channel&gt;) ![b](https://b.example/&lt;@U1&gt;) &lt;!here&gt;";
    slack.command(slack.ada, slack.general, "/shipmate", `ask ${hidden}`);
    await heard(wired);
    expect(slack.fromBot(slack.general)).toMatchObject([{ pings: [] }]);
  });

  it("a question is shown letter by letter: nobody has us say something with a link of theirs beneath it", async () => {
    await using wired = await wire();
    const { slack } = wired;
    slack.command(
      slack.ada,
      slack.general,
      "/shipmate",
      "ask Penny\n\n# Payroll\n\n[sign in here](https://evil.example)",
    );
    await heard(wired);
    const [line] = slack.fromBot(slack.general);
    expect(line?.text).toContain("\\[sign in here]\\(https://evil.example)");
    expect(line?.text).toContain("\\# Payroll");
  });

  it("a question of somebody who may not ask is shown to nobody", async () => {
    await using wired = await wire({ deps: { mayAsk: async () => false } });
    const { slack } = wired;
    slack.command(slack.ada, slack.general, "/shipmate", "ask Penny buy my coins");
    const [event] = await heard(wired);
    expect(event).toMatchObject({ name: "ask", argument: "Penny buy my coins", place: { channel: slack.general } });
    expect(asCommand(event).messageId).toBeUndefined();
    expect(slack.messages(slack.general)).toEqual([]);
  });

  it("a question in a channel that we are not in gets its answer in private, and starts nothing", async () => {
    await using wired = await wire();
    const { slack, events } = wired;
    const team = slack.channel("team", { botIn: false });
    slack.command(slack.ada, team, "/shipmate", "ask Penny what is new?");
    const shown = await slack.waitForEphemeral(slack.ada, ({ text }) => text.includes("/invite"));
    expect(shown.channel).toBe(team);
    expect(events).toEqual([]);
  });

  it("in a conversation of two people that we are no part of nothing is taken for a direct message with us", async () => {
    await using wired = await wire();
    const { slack, events, dm } = wired;
    const ben = slack.person("Ben");
    const theirs = slack.dmBetween(slack.ada, ben);
    const said = slack.say(ben, theirs, "what do you think?");
    slack.command(slack.ada, theirs, "/shipmate", "status");
    slack.messageShortcut(slack.ada, said, "stop_task");
    slack.messageShortcut(slack.ada, said, "ask_teammate");
    await slack.waitFor(() => slack.view(slack.ada));
    slack.submit(slack.ada, "Penny, what is this?");
    await eventually(() => slack.ephemerals(slack.ada).map(({ text }) => text)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining("no part of this conversation")),
    );
    expect(events).toEqual([]);
    expect(slack.messages(theirs)).toHaveLength(1);
    slack.command(slack.ada, dm, "/shipmate", "status");
    expect(await heard(wired)).toMatchObject([{ name: "status", place: { channel: dm, kind: "dm" } }]);
  });

  it("F-31 is acknowledged in time although storing takes longer, and still stored", async () => {
    const gate = Promise.withResolvers<void>();
    await using wired = await wire({ before: () => gate.promise, clock: { interactiveAckMs: 20 } });
    const { slack, events } = wired;
    const acted = slack.command(slack.ada, slack.general, "/shipmate", "status");
    await slack.waitFor(() => acted.state() === "acked");
    expect(events).toEqual([]);
    gate.resolve();
    expect(await heard(wired)).toMatchObject([{ name: "status" }]);
  });
});

describe("what answers one person", () => {
  it("is shown to that person only, in the thread, with its buttons, and changes where it is", async () => {
    await using wired = await wire();
    const { slack, adapter } = wired;
    const root = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> hi`);
    slack.command(slack.ada, slack.general, "/shipmate", "team");
    const events = await heard(wired, 2);
    const command = asCommand(events.find(({ kind }) => kind === "command"));
    const onlyFor = { userId: slack.ada, interaction: command.interaction };
    const there = { channel: slack.general, thread: root.ts };
    const post = {
      text: "Here are **Milo** and Penny.",
      notify: false,
      onlyFor,
      buttons: [[{ label: "More", token: "tok_more" }]],
    };
    const receipt = await adapter.post(there, post, "k");
    expect(slack.ephemerals(slack.ada)).toMatchObject([
      { ts: receipt.outcome === "delivered" && receipt.messageId, threadTs: root.ts },
    ]);
    const [shown] = slack.ephemerals(slack.ada);
    if (!shown) throw new Error("nothing was shown");
    slack.press(slack.ada, shown, "More");
    const press = (await heard(wired, 3)).find(({ kind }) => kind === "button");
    if (press?.kind !== "button") throw new Error("no press");
    expect(press).toMatchObject({ private: true, token: "tok_more", messageId: shown.ts });
    const changed = {
      text: "More of it.",
      notify: false,
      onlyFor: { userId: slack.ada, interaction: press.interaction },
    };
    expect(await adapter.edit?.(there, press.messageId, changed)).toMatchObject({ outcome: "delivered" });
    await eventually(() => slack.ephemerals(slack.ada).map(({ text }) => text)).toEqual(["More of it."]);
    expect(await adapter.remove?.(there, press.messageId)).toMatchObject({ outcome: "delivered" });
    await eventually(() => slack.ephemerals(slack.ada)).toEqual([]);
    expect(slack.fromBot(slack.general)).toEqual([]);
  });

  it("goes by the address of the command where we are not, and by direct message when that is used up", async () => {
    await using wired = await wire();
    const { slack, dm, adapter } = wired;
    const team = slack.channel("team", { botIn: false });
    slack.command(slack.ada, team, "/shipmate", "status");
    const { interaction } = asCommand((await heard(wired))[0]);
    const post = (text: string) =>
      adapter.post({ channel: team }, { text, notify: false, onlyFor: { userId: slack.ada, interaction } }, text);
    for (let n = 0; n < 5; n += 1) expect(await post(`part ${n}`)).toMatchObject({ outcome: "delivered" });
    expect(slack.ephemerals(slack.ada)).toHaveLength(5);
    const last = await post("the last one");
    expect(last).toMatchObject({ outcome: "delivered", messageId: expect.stringMatching(`^${dm}:`) });
    expect(slack.fromBot(dm)).toMatchObject([{ text: "the last one" }]);
    expect(slack.messages(team)).toEqual([]);
    const id = last.outcome === "delivered" ? last.messageId : "";
    await adapter.edit?.({ channel: team }, id, { text: "changed", notify: false });
    expect(slack.fromBot(dm)).toMatchObject([{ text: "changed" }]);
  });

  it("F-28 a refusal reaches the presser alone, and nothing at all is said without a text", async () => {
    await using wired = await wire();
    const { slack, adapter } = wired;
    const ben = slack.person("Ben");
    slack.join(ben, slack.general);
    await adapter.post(
      { channel: slack.general },
      { text: "Milo asks", notify: true, buttons: [[{ label: "Go", token: "t" }]] },
      "k",
    );
    const [card] = slack.fromBot(slack.general);
    if (!card) throw new Error("no card");
    slack.press(ben, card, "Go");
    const [press] = await heard(wired);
    if (press?.kind !== "button") throw new Error("no press");
    await adapter.answer?.(press.interaction);
    expect(slack.ephemerals(ben)).toEqual([]);
    await adapter.answer?.(press.interaction, "Only Ada & a manager can decide this.", true);
    expect(slack.ephemerals(ben)).toMatchObject([{ text: "Only Ada & a manager can decide this." }]);
    expect(slack.ephemerals(slack.ada)).toEqual([]);
    expect(slack.message(card)?.text).toContain("Milo asks");
  });

  it("in a direct message it is an ordinary message", async () => {
    await using wired = await wire();
    const { slack, dm, adapter } = wired;
    await adapter.post({ channel: dm }, { text: "yours", notify: false, onlyFor: { userId: slack.ada } }, "k");
    expect(slack.fromBot(dm)).toMatchObject([{ text: "yours" }]);
  });
});

describe("buttons and forms", () => {
  it("F-29 two presses are two events with keys of their own, and one press that is delivered twice is one", async () => {
    await using wired = await wire();
    const { slack, dm, adapter } = wired;
    await adapter.post({ channel: dm }, { text: "?", notify: true, buttons: [[{ label: "Go", token: "t" }]] }, "k");
    const [card] = slack.fromBot(dm);
    if (!card) throw new Error("no card");
    slack.press(slack.ada, card, "Go");
    slack.press(slack.ada, card, "Go");
    const events = await heard(wired, 2);
    expect(new Set(events.map(({ key }) => key)).size).toBe(2);
    expect(events).toMatchObject([{ token: "t", messageId: card.ts }, { token: "t" }]);
  });

  it("a press on a link is acknowledged, and means nothing to us", async () => {
    await using wired = await wire();
    const { slack, dm, adapter } = wired;
    const links = [{ label: "Sign in", url: "https://calendar.example/authorize?state=a8" }];
    await adapter.post({ channel: dm }, { text: "Sign in", links, buttons: [[approve]], notify: true }, "key-1");
    const [card] = slack.fromBot(dm);
    if (!card) throw new Error("no card");
    const opened = slack.press(slack.ada, card, "Sign in");
    await slack.waitFor(() => opened.state() === "acked");
    slack.press(slack.ada, card, "Approve");
    expect(await heard(wired)).toMatchObject([{ kind: "button", token: approve.token }]);
    expect(slack.ephemerals(slack.ada)).toEqual([]);
  });

  it("F-31 a form opens while the place still waits for the database", async () => {
    let broken = true;
    await using wired = await wire({
      deps: { form: async () => question },
      before: async () => {
        if (broken) throw new Error("the database is away");
      },
    });
    const { slack, dm, adapter, warnings } = wired;
    slack.say(slack.ada, dm, "not stored yet");
    await eventually(() => warnings.length).toBeGreaterThan(0);
    await adapter.post({ channel: dm }, { text: "A rule", notify: true, buttons: [[change]] }, "k");
    const [card] = slack.fromBot(dm);
    if (!card) throw new Error("no card");
    const acted = slack.press(slack.ada, card, "Change");
    const view = await slack.waitFor(() => slack.view(slack.ada));
    expect(view).toMatchObject({
      title: question.title,
      inputs: [{ label: question.label, multiline: true, optional: false }],
    });
    await slack.waitFor(() => acted.state() === "acked");
    slack.submit(slack.ada, "npm run check");
    broken = false;
    expect(await heard(wired, 2)).toMatchObject([
      { kind: "message" },
      { kind: "form", token: "tok_change", value: "npm run check", messageId: card.ts, place: { channel: dm } },
    ]);
  });

  it.each([
    ["takes too long", { form: () => new Promise<undefined>(() => undefined) }, { formMs: 10 }],
    ["fails", { form: () => Promise.reject(new Error("the database is away")) }, {}],
    ["is of no use any more", { form: async () => undefined }, {}],
  ])("a form that %s leaves an ordinary press", async (_what, deps, clock) => {
    await using wired = await wire({ deps, clock });
    const { slack, dm, adapter } = wired;
    await adapter.post({ channel: dm }, { text: "A rule", notify: true, buttons: [[change]] }, "k");
    const [card] = slack.fromBot(dm);
    if (!card) throw new Error("no card");
    slack.press(slack.ada, card, "Change");
    expect(await heard(wired)).toMatchObject([{ kind: "button", token: "tok_change" }]);
    expect(slack.view(slack.ada)).toBeUndefined();
  });

  it("a form that Slack does not open any more leaves an ordinary press", async () => {
    await using wired = await wire({ deps: { form: async () => question } });
    const { slack, dm, adapter } = wired;
    slack.faults.reject("views.open", "expired_trigger_id");
    await adapter.post({ channel: dm }, { text: "A rule", notify: true, buttons: [[change]] }, "k");
    const [card] = slack.fromBot(dm);
    if (!card) throw new Error("no card");
    slack.press(slack.ada, card, "Change");
    expect(await heard(wired)).toMatchObject([{ kind: "button", token: "tok_change" }]);
  });

  it("a button on a person's own page is answered in their direct message", async () => {
    await using wired = await wire();
    const { slack, dm, adapter } = wired;
    await adapter.home?.(slack.ada, [
      { text: "# Waiting\n\n**One** thing & <more>", notify: false, buttons: [[{ label: "Go", token: "t" }]] },
    ]);
    const home = slack.home(slack.ada);
    if (!home) throw new Error("no page");
    expect(home.text).toContain("*One* thing & <more>");
    slack.press(slack.ada, home, "Go");
    const [press] = await heard(wired);
    expect(press).toMatchObject({ kind: "button", token: "t", place: { channel: dm, kind: "dm" } });
  });
});

describe("shortcuts on messages", () => {
  it("“Ask a teammate” asks what for, and brings the message along", async () => {
    await using wired = await wire();
    const { slack } = wired;
    const ben = slack.person("Ben");
    slack.join(ben, slack.general);
    const said = slack.say(ben, slack.general, "the build broke", {
      files: [{ name: "log.txt", bytes: Buffer.from("x") }],
    });
    await heard(wired);
    slack.messageShortcut(slack.ada, said, "ask_teammate");
    const view = await slack.waitFor(() => slack.view(slack.ada));
    expect(view.title).toBe("Ask a teammate");
    slack.submit(slack.ada, "Penny, find out why");
    const event = (await heard(wired, 2))[1];
    expect(event).toMatchObject({
      kind: "command",
      name: "ask",
      argument: "Penny, find out why",
      author: { id: slack.ada },
      quote: { messageId: said.ts, text: "the build broke", authorName: "Ben", fromUs: false },
      files: [{ name: "log.txt" }],
      place: { channel: slack.general, thread: said.ts },
    });
    const thread = slack.messages(slack.general, { thread: said.ts });
    expect(thread.map(({ ts, text }) => [ts, text])).toContainEqual([
      asCommand(event).messageId,
      expect.stringContaining("Penny, find out why"),
    ]);
  });

  it("a message of any length fits into what a form may carry", async () => {
    await using wired = await wire();
    const { slack, dm } = wired;
    const files = Array.from({ length: 10 }, (_, n) => ({
      name: `${"long name ".repeat(12)}${n}.txt`,
      bytes: Buffer.from("x"),
    }));
    const said = slack.say(slack.ada, dm, '"quoted" \\ & 日本 '.repeat(400), { files });
    await heard(wired);
    slack.messageShortcut(slack.ada, said, "ask_teammate");
    const view = await slack.waitFor(() => slack.view(slack.ada));
    expect(view.privateMetadata.length).toBeLessThanOrEqual(3000);
    slack.submit(slack.ada, "sum it up");
    const event = asCommand((await heard(wired, 2))[1]);
    expect(event.quote?.text).toMatch(/^"quoted"/u);
    expect(event.files?.length).toBeGreaterThan(0);
  });

  it("“Stop” is about the thread of the message", async () => {
    await using wired = await wire();
    const { slack } = wired;
    const root = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> work`);
    const reply = slack.say(slack.ada, slack.general, "more", { thread: root.ts });
    await heard(wired, 2);
    slack.messageShortcut(slack.ada, reply, "stop_task");
    expect((await heard(wired, 3))[2]).toMatchObject({
      kind: "command",
      name: "stop",
      place: { channel: slack.general, thread: root.ts },
    });
    expect(asCommand(wired.events[2]).wholePlace).toBeUndefined();
  });
});

describe("a person's own page, and an empty conversation", () => {
  it("are told apart, and get no more than Slack shows", async () => {
    await using wired = await wire();
    const { slack, dm, adapter } = wired;
    slack.openHome(slack.ada);
    slack.openMessagesTab(slack.ada);
    expect(await heard(wired, 2)).toMatchObject([
      { kind: "home", shows: "page", place: { channel: dm, kind: "dm" } },
      { kind: "home", shows: "conversation" },
    ]);
    const ideas = Array.from({ length: 6 }, (_, n) => ({ title: `Idea ${n}`, text: `Tell me about ${n}` }));
    expect(await adapter.suggest?.({ channel: dm }, ideas)).toMatchObject({ outcome: "delivered" });
    expect(slack.suggested(dm)).toHaveLength(4);
    const page = Array.from({ length: 130 }, (_, n) => ({
      text: `Line ${n} ${"word ".repeat(n * 6)}`,
      notify: false,
    }));
    expect(await adapter.home?.(slack.ada, page)).toMatchObject({ outcome: "delivered" });
    expect(slack.home(slack.ada)?.blocks).toHaveLength(100);
  });
});
