import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { SeenMessage } from "../fakes/discord/index.ts";
import { gate, say, shell, waitFor } from "../fakes/model/index.ts";
import { createDiscordWorld, type DiscordWorld } from "../support/discord-world.ts";
import type { ShipmateProcess } from "../support/shipmate.ts";

let world: DiscordWorld;
let shipmate: ShipmateProcess;
beforeAll(async () => {
  world = await createDiscordWorld();
  shipmate = await world.start();
  await world.claim();
  await world.openChannel();
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

/** What Ada says to the bot in a channel, and the thread that comes of it. */
async function mention(text: string): Promise<{ readonly said: SeenMessage; readonly thread: string }> {
  const { discord } = world;
  const said = discord.say(discord.ada, discord.general, `${discord.mention()} ${text}`);
  return { said, thread: await discord.waitFor(() => discord.thread(said.id)?.id) };
}
const shown = (channel: string, text: string) =>
  world.discord.waitForMessage(channel, (message) => message.text.includes(text));
const escalated = (command: string) => shell(command, { escalated: true, justification: "the test wants it" });

describe("a mention in a Discord channel", () => {
  it("opens a thread on that message, where the teammate answers under its own name", async () => {
    const { discord, model } = world;
    model.enqueue([say("The deploy **went** fine.")]);
    const { said, thread } = await mention("how did the deploy go?");

    const answer = await shown(thread, "went");
    expect(answer.author).toMatchObject({ name: "Milo", webhook: true });
    expect(answer.text).toContain("The deploy **went** fine.");
    expect(answer.silent).toBe(false);
    expect(answer.pings).toEqual([]);
    expect(discord.thread(said.id)?.name).toMatch(/deploy/);
    await discord.waitFor(() => discord.message(said.id)?.reactions.includes("✅"));
    await world.allPosted();
    expect(discord.messages(discord.general).filter((message) => message.fromUs)).toEqual([]);
    expect(discord.messages(thread).filter((message) => message.fromUs)).toHaveLength(1);
  });

  it("goes on in that thread without further mentions, and leaves foreign threads alone", async () => {
    const { discord, model } = world;
    model.enqueue([say("Blue.")], [say("Because of the sea.")]);
    const { thread } = await mention("which colour?");
    await shown(thread, "Blue.");
    discord.say(discord.ada, thread, "why?");
    await shown(thread, "Because of the sea.");

    const other = discord.say(discord.ada, discord.general, "lunch?");
    const foreign = discord.startThread(discord.ada, other.id, "lunch");
    discord.say(discord.ada, foreign, "pizza or soup?");
    model.enqueue([say("Still here.")]);
    discord.say(discord.ada, thread, "are you there?");
    await shown(thread, "Still here.");
    expect(discord.messages(foreign).filter((message) => message.fromUs)).toEqual([]);
    expect(model.requests.at(-1)?.lastUserText).not.toContain("pizza");
  });

  it("F-48 joins the thread when another bot was faster", async () => {
    const { discord, model } = world;
    model.enqueue([say("Found it.")]);
    const said = discord.say(discord.ada, discord.general, `${discord.mention()} look there`);
    discord.faults.threadRace(said.id);
    await shown(said.id, "Found it.");
    expect(discord.messages(discord.general).filter((message) => message.fromUs)).toEqual([]);
  });

  it("asks for approval with buttons; a stranger's press is refused only to them, the owner's runs it", async () => {
    const { discord, model } = world;
    const stranger = discord.person("Ben");
    model.enqueue([escalated("echo ran-$((40+2))")], [say("It ran.")]);
    const { thread } = await mention("run it");
    const card = await shown(thread, "echo ran-$((40+2))");
    expect(card.buttons.map((button) => button.label)).toEqual(expect.arrayContaining(["Approve", "Deny"]));

    discord.press(stranger, card, "Approve");
    await discord.waitFor(() => discord.ephemerals(stranger).at(-1)?.text);
    expect(discord.message(card.id)?.buttons.length).toBeGreaterThan(0);
    expect(model.requests).toHaveLength(1);

    const press = discord.press(discord.ada, card, "Approve");
    await shown(thread, "It ran.");
    expect(press.failed).toBe(false);
    expect(model.requests.at(-1)?.lastOutput).toContain("ran-42");
    expect(discord.message(card.id)?.text).toMatch(/Approved by Ada/);
    expect(discord.message(card.id)?.buttons).toEqual([]);
  });

  it("works in direct messages without threads", async () => {
    const { discord, model } = world;
    const dm = discord.dm(discord.ada);
    model.enqueue([say("Here I am.")]);
    discord.say(discord.ada, dm, "are you there?");
    const answer = await shown(dm, "Here I am.");
    expect(answer.channelId).toBe(dm);
  });

  it("understands /ask with completed names, and shows who asked what", async () => {
    const { discord, model } = world;
    expect(await discord.autocomplete(discord.ada, discord.general, "ask", "teammate", "mi")).toMatchObject([
      { value: expect.stringMatching(/milo/i) },
    ]);
    const stranger = discord.person("Ben");
    expect(await discord.autocomplete(stranger, discord.general, "ask", "teammate", "mi")).toEqual([]);
    model.enqueue([say("Nothing new.")]);
    const asked = discord.command(discord.ada, discord.general, "ask", { teammate: "Milo", message: "what is new?" });
    const root = await discord.waitFor(() => asked.message);
    expect(root.text).toContain("what is new?");
    const thread = await discord.waitFor(() => discord.thread(root.id)?.id);
    await shown(thread, "Nothing new.");
  });

  it("answers a question about somebody's message from its menu", async () => {
    const { discord, model } = world;
    const ben = discord.person("Ben");
    const said = discord.say(ben, discord.general, "Error: EADDRINUSE 8787");
    model.enqueue([say("The port is taken.")]);
    discord.contextMenu(discord.ada, said.id, "Ask about this");
    const modal = await discord.waitFor(() => discord.modal(discord.ada));
    discord.submit(discord.ada, modal, "what does it mean?");
    const thread = await discord.waitFor(() => discord.thread(said.id)?.id);
    await shown(thread, "The port is taken.");
    expect(model.requests[0]?.lastUserText).toContain("EADDRINUSE");
  });

  it("answers other commands in a channel to their giver only", async () => {
    const { discord } = world;
    const before = discord.messages(discord.general).length;
    const asked = discord.command(discord.ada, discord.general, "status");
    await discord.waitFor(() =>
      discord.ephemerals(discord.ada).find((message) => !message.thinking && message.text.includes("Nothing runs")),
    );
    expect(asked.ephemeral).toBe(true);
    expect(discord.messages(discord.general)).toHaveLength(before);
  });

  it("F-03 answers once what was asked while it was down, and goes on after a kill in the middle", async () => {
    const { discord, model } = world;
    const began = gate();
    model.enqueue([waitFor(began), say("never said")]);
    const { thread } = await mention("something long");
    await vi.waitFor(() => expect(model.requests).toHaveLength(1), { timeout: 15_000 });
    await shipmate.end("SIGKILL");
    began.open();
    const missed = discord.say(discord.ada, discord.general, `${discord.mention()} are you back?`);
    model.reset();
    model.enqueue([say("one answer")], [say("another answer")]);
    shipmate = await world.start();

    await shown(missed.id, "answer");
    await discord.waitFor(() => discord.messages(thread).some((message) => /restarted/.test(message.text)));
    await world.allPosted();
    const answers = discord.messages(missed.id).filter((message) => message.text.includes("answer"));
    expect(answers).toHaveLength(1);
  });
});
