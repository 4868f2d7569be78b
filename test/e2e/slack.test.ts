import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { gate, say, shell, waitFor } from "../fakes/model/index.ts";
import type { SeenMessage } from "../fakes/slack/index.ts";
import type { ShipmateProcess } from "../support/shipmate.ts";
import { createSlackWorld, type SlackWorld } from "../support/slack-world.ts";

let world: SlackWorld;
let shipmate: ShipmateProcess;
beforeAll(async () => {
  world = await createSlackWorld();
  shipmate = await world.start();
  await world.claim();
  await world.openChannel();
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

/** What Ada says to the bot in the channel. */
const mention = (text: string, options: { thread?: string } = {}): SeenMessage =>
  world.slack.say(world.slack.ada, world.slack.general, `<@${world.slack.botUserId}> ${text}`, options);
const shown = (channel: string, text: string) =>
  world.slack.waitForMessage(channel, (message) => message.text.includes(text));
const escalated = (command: string) => shell(command, { escalated: true, justification: "the test wants it" });

describe("a mention in a Slack channel", () => {
  it("is answered once, in its thread, under the teammate's name; until then the status line says what goes on", async () => {
    const { slack, model } = world;
    const open = gate();
    model.enqueue([waitFor(open), say("## Done\n\n| a | b |\n|---|---|\n| 1 | 2 |")]);
    const said = mention("make a table");
    await slack.waitFor(() => slack.status(slack.general, said.ts)?.text);
    open.open();

    const answer = await shown(slack.general, "Done");
    expect(answer.threadTs).toBe(said.ts);
    expect(answer.author.name).toBe("Milo");
    expect(answer.pings).toEqual([]);
    await slack.waitFor(() => slack.status(slack.general, said.ts) === undefined);
    await world.allPosted();
    expect(slack.messages(slack.general, { thread: said.ts }).filter((each) => each.author.bot)).toHaveLength(1);
    await slack.waitFor(() => slack.message(said)?.reactions.some((reaction) => reaction.name === "white_check_mark"));
  });

  it("F-01 is one message, whichever of its two events comes first", async () => {
    const { slack, model } = world;
    model.enqueue([say("Counted.")]);
    slack.say(slack.ada, slack.general, `<@${slack.botUserId}> count me`, { first: "app_mention" });
    await shown(slack.general, "Counted.");
    await world.allPosted();
    expect(model.requests).toHaveLength(1);
  });

  it("goes on in that thread without further mentions; mute and unmute decide otherwise", async () => {
    const { slack, model } = world;
    model.enqueue([say("Blue.")], [say("The sea.")], [say("Again.")]);
    const said = mention("which colour?");
    await shown(slack.general, "Blue.");
    const reply = (text: string) => slack.say(slack.ada, slack.general, text, { thread: said.ts });
    reply("why?");
    await shown(slack.general, "The sea.");

    reply("!aside between us: no idea");
    reply("mute");
    await slack.waitFor(() =>
      slack
        .fromBot(slack.general)
        .at(-1)
        ?.text.match(/quiet|listen|named/i),
    );
    reply("are you sure?");
    reply("unmute");
    await slack.waitFor(() =>
      slack
        .fromBot(slack.general)
        .at(-1)
        ?.text.match(/listen|again/i),
    );
    reply("now?");
    await shown(slack.general, "Again.");
    expect(model.requests).toHaveLength(3);
  });

  it("F-46 deep in a thread brings what was said there before, and nothing more than that", async () => {
    const { slack, model } = world;
    const ben = slack.person("Ben");
    const root = slack.say(ben, slack.general, "The build is red since commit 4f3a");
    slack.say(ben, slack.general, "it says EADDRINUSE", { thread: root.ts });
    slack.say(ben, slack.general, "not here");
    model.enqueue([say("A port is taken.")]);
    mention("what do you think?", { thread: root.ts });
    await shown(slack.general, "A port is taken.");
    const prompt = model.requests[0]?.lastUserText ?? "";
    expect(prompt).toContain("The build is red since commit 4f3a");
    expect(prompt).toContain("EADDRINUSE");
    expect(prompt).not.toContain("not here");

    slack.say(ben, slack.general, "thanks", { thread: root.ts });
    model.enqueue([say("Here.")]);
    mention("ping");
    await shown(slack.general, "Here.");
    expect(model.requests).toHaveLength(2);
  });

  it("asks for approval with buttons; a stranger's press is refused only to them, the owner's runs it", async () => {
    const { slack, model } = world;
    const stranger = slack.person("Ben");
    model.enqueue([escalated("echo ran-$((40+2))")], [say("It ran.")]);
    mention("run it");
    const card = await shown(slack.general, "echo ran-$((40+2))");
    slack.press(stranger, card, "Approve");
    await slack.waitForEphemeral(stranger, (message) => message.text !== "");
    expect(slack.message(card)?.buttons.length).toBeGreaterThan(0);
    expect(model.requests).toHaveLength(1);

    const press = slack.press(slack.ada, card, "Approve");
    await shown(slack.general, "It ran.");
    expect(press.state()).toBe("acked");
    expect(model.requests.at(-1)?.lastOutput).toContain("ran-42");
    expect(slack.message(card)?.text).toMatch(/Approved by Ada/);
    expect(slack.message(card)?.buttons).toEqual([]);
  });

  it("F-03 answers once what was asked while it was down, and goes on after a kill in the middle", async () => {
    const { slack, model } = world;
    const began = gate();
    model.enqueue([waitFor(began), say("never said")]);
    const cut = mention("something long");
    await vi.waitFor(() => expect(model.requests).toHaveLength(1), { timeout: 15_000 });
    await shipmate.end("SIGKILL");
    began.open();
    slack.faults.pauseSockets();
    const missed = mention("are you back?");
    model.reset();
    model.enqueue([say("one answer")], [say("another answer")]);
    slack.faults.clear();
    shipmate = await world.start();

    await slack.waitForMessage(
      slack.general,
      (message) => message.threadTs === missed.ts && /answer/.test(message.text),
    );
    await slack.waitForMessage(
      slack.general,
      (message) => message.threadTs === cut.ts && /restarted/.test(message.text),
    );
    await world.allPosted();
    const answers = slack.fromBot(slack.general).filter((message) => message.threadTs === missed.ts);
    expect(answers).toHaveLength(1);
  });
});

describe("alone with it in Slack", () => {
  it("every message of the direct messages is a thread, and answered in it", async () => {
    const { slack, model } = world;
    const dm = slack.dm(slack.ada);
    model.enqueue([say("Here I am.")]);
    const said = slack.say(slack.ada, dm, "are you there?");
    expect((await shown(dm, "Here I am.")).threadTs).toBe(said.ts);
  });

  it("the agent pane offers first things to say", async () => {
    const { slack } = world;
    slack.openMessagesTab(slack.ada);
    const prompts = await slack.waitFor(() => {
      const offered = slack.suggested(slack.dm(slack.ada));
      return offered.length > 0 && offered;
    });
    expect(prompts.map((prompt) => prompt.message)).toContain("What can you do for me?");
  });

  it("the home page shows what waits, what runs and who is there", async () => {
    const { slack, model } = world;
    model.enqueue([escalated("echo waiting")], [say("Done waiting.")]);
    mention("wait for me");
    const card = await shown(slack.general, "echo waiting");
    slack.openHome(slack.ada);
    const home = await slack.waitFor(() => slack.home(slack.ada));
    expect(home.text).toContain("echo waiting");
    expect(home.text).toContain("Milo");
    slack.press(slack.ada, card, "Approve");
    await shown(slack.general, "Done waiting.");
  });

  it("one slash command knows everything, and answers its giver only", async () => {
    const { slack } = world;
    slack.command(slack.ada, slack.general, "/shipmate", "status");
    await slack.waitForEphemeral(slack.ada, (message) => message.text.includes("Nothing runs"));
    slack.command(slack.ada, slack.general, "/shipmate");
    await slack.waitForEphemeral(slack.ada, (message) => message.text.includes("/shipmate ask"));
  });

  it("the shortcut on a message asks a teammate about it", async () => {
    const { slack, model } = world;
    const said = slack.say(slack.person("Ben"), slack.general, "Error: EADDRINUSE 8787");
    model.enqueue([say("The port is taken.")]);
    slack.messageShortcut(slack.ada, said, "ask_teammate");
    await slack.waitFor(() => slack.view(slack.ada));
    slack.submit(slack.ada, "what does it mean?");
    expect((await shown(slack.general, "The port is taken.")).threadTs).toBe(said.ts);
    expect(model.requests[0]?.lastUserText).toContain("EADDRINUSE");
  });
});
