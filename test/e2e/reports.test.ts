import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, say, shell } from "../fakes/model/index.ts";
import { createDiscordWorld, type DiscordWorld } from "../support/discord-world.ts";
import type { Machine } from "../support/machine.ts";
import { createSlackWorld, type SlackWorld } from "../support/slack-world.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A daily routine of Ada's, made in her private chat, that reports to a channel. */
async function addRoutine(machine: Machine, name: string, channel: string, ownThread = false): Promise<void> {
  const [routine, places] = [
    randomUUID(),
    await machine.query("select id, kind from places where channel = $1 or kind = 'dm'", [channel]),
  ];
  const of = (isDm: boolean) => places.find(({ kind }) => (kind === "dm") === isDm)?.id;
  await machine.query(
    `insert into routines (id, teammate_id, kind, name, instruction, trigger, timezone, place_id, missed_policy, limit_policy,
       next_due_at, created_by)
     select $1, t.id, 'routine', $2, 'Look for open incidents.', $3, 'Europe/Lisbon', $4, 'run_once', 'wait',
       now() + interval '20 hours', p.id
     from teammates t, people p where t.handle = 'milo' and p.role = 'owner'`,
    [routine, name, JSON.stringify({ kind: "schedule", schedule: { kind: "daily", at: "08:30" } }), of(true)],
  );
  await machine.query(
    `insert into conversations (id, place_id, teammate_id, kind, routine_id)
     select $1, r.place_id, r.teammate_id, 'routine', r.id from routines r where r.id = $2`,
    [randomUUID(), routine],
  );
  await machine.query(
    `insert into routine_destinations (id, routine_id, position, place_id, own_thread) values ($1, $2, 0, $3, $4)`,
    [randomUUID(), routine, of(false), ownThread],
  );
}

const table = "| Incident | Since |\n|---|---|\n| Site down | 11:40 |";

describe("a routine's report in a Slack channel", () => {
  let world: SlackWorld;
  beforeAll(async () => {
    world = await createSlackWorld();
    await world.start();
    await world.claim();
    await world.openChannel();
    await addRoutine(world, "Open incidents", world.slack.general);
  });
  afterEach(() => world.model.reset());
  afterAll(() => world[Symbol.asyncDispose]());

  it("is one clean post with its table; the picture is in its thread, and so is the answer to who asks there", async () => {
    const { slack, model } = world;
    const before = slack.messages(slack.general, { thread: null }).length;
    model.enqueue(
      [shell(`printf '%s' '${png}' | base64 -d > chart.png`)],
      [call("shipmate", "attach_files_to_response", { files: [{ path: "chart.png" }] })],
      [say(`One since noon.\n\n${table}`)],
    );
    slack.command(slack.ada, slack.dm(slack.ada), "/shipmate", "routine run Open incidents");
    const report = await slack.waitForMessage(slack.general, ({ text }) => text.includes("One since noon."));
    await world.allPosted();
    const inChannel = slack.messages(slack.general, { thread: null });
    expect(inChannel).toHaveLength(before + 1);
    expect(report).toMatchObject({ threadTs: undefined, files: [], author: { name: "Milo" } });
    expect(report.blocks).toEqual([
      expect.objectContaining({ type: "markdown", text: expect.stringContaining("| Site down | 11:40 |") }),
    ]);
    expect(report.text).toMatch(/^\*\*Open incidents\*\*\n/u);
    const beneath = () => slack.messages(slack.general, { thread: report.ts }).filter(({ ts }) => ts !== report.ts);
    expect(beneath().flatMap(({ files }) => files.map(({ name }) => name))).toEqual(["chart.png"]);

    model.reset();
    model.enqueue([say("The site.")]);
    slack.say(slack.ada, slack.general, "which one?", { thread: report.ts });
    const answer = await slack.waitForMessage(slack.general, ({ text }) => text.includes("The site."));
    expect(answer.threadTs).toBe(report.ts);
    expect(model.requests).toHaveLength(1);
    const prompt = model.requests[0]?.lastUserText ?? "";
    expect(prompt).toMatch(/<reports>\n- .*"Open incidents": One since noon\./u);
    expect(prompt).toContain("which one?");
  });
});

describe("a routine's reports in a thread of their own on Discord", () => {
  let world: DiscordWorld;
  beforeAll(async () => {
    world = await createDiscordWorld();
    await world.start();
    await world.claim();
    await world.openChannel();
    await addRoutine(world, "Open incidents", world.discord.general, true);
  });
  afterEach(() => world.model.reset());
  afterAll(() => world[Symbol.asyncDispose]());

  it("share one thread, which the first one makes, and whoever writes there is answered without naming anybody", async () => {
    const { discord, model } = world;
    const run = () => {
      discord.command(discord.ada, discord.dm(discord.ada), "routine", { action: "run", text: "Open incidents" });
    };
    model.enqueue([say("One since noon.")]);
    run();
    const root = await discord.waitForMessage(discord.general, ({ text }) => text.includes("🗓"));
    const thread = await discord.waitFor(() => discord.thread(root.id));
    expect(thread.name).toBe("Open incidents");
    await discord.waitForMessage(thread.id, ({ text }) => text.includes("One since noon."));

    model.enqueue([say("Two by now.")]);
    discord.archiveThread(thread.id);
    run();
    await discord.waitForMessage(thread.id, ({ text }) => text.includes("Two by now."));
    expect(discord.messages(discord.general).filter(({ text }) => text.includes("🗓"))).toHaveLength(1);

    model.reset();
    model.enqueue([say("The site and the mail.")]);
    discord.say(discord.ada, thread.id, "which two?");
    await discord.waitForMessage(thread.id, ({ text }) => text.includes("The site and the mail."));
    const prompt = model.requests[0]?.lastUserText ?? "";
    expect(prompt).toMatch(/<reports>\n- .*One since noon\.\n- .*Two by now\.\n<\/reports>/u);
  });

  it("a reply to a report that stands in the channel goes on about that one", async () => {
    const { discord, model } = world;
    await addRoutine(world, "Numbers", discord.general);
    model.enqueue([say("Sales are up.")]);
    discord.command(discord.ada, discord.dm(discord.ada), "routine", { action: "run", text: "Numbers" });
    const report = await discord.waitForMessage(discord.general, ({ text }) => text.includes("Sales are up."));
    model.reset();
    model.enqueue([say("By a tenth.")]);
    const question = discord.say(discord.ada, discord.general, "by how much?", { replyTo: report.id });
    await discord.waitForMessage(question.id, ({ text }) => text.includes("By a tenth."));
    expect(model.requests[0]?.lastUserText).toMatch(/<reports>\n- .*"Numbers": Sales are up\.\n<\/reports>/u);
  });
});

describe("a routine's reports in a Telegram forum", () => {
  let world: World;
  beforeAll(async () => {
    world = await createClaimedWorld({ telegram: { canReadAllGroupMessages: true } });
  });
  afterEach(() => world.model.reset());
  afterAll(() => world[Symbol.asyncDispose]());

  /** A forum that everybody may use us in. */
  async function openForum(title: string, as: "member" | "administrator"): Promise<number> {
    const { telegram } = world;
    const forum = telegram.createGroup({ title, forum: true });
    telegram.addToGroup(telegram.ada, forum, as);
    const card = await telegram.waitForMessage(forum, ({ text }) => text.includes("who may ask me here?"));
    telegram.press(telegram.ada, card, "Everyone");
    await telegram.waitForMessage(forum, ({ text }) => text.includes("Everyone may ask me here"));
    return forum;
  }

  it("have a topic of their own, in which a question needs no name", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const forum = await openForum("Ops", "administrator");
    await addRoutine(world, "Open incidents", String(forum), true);
    model.enqueue([say("One since noon.")]);
    telegram.say(ada, ada, "/routine run Open incidents");
    const report = await telegram.waitForMessage(forum, ({ text }) => text.includes("One since noon."));
    const [topic] = telegram.topics(forum);
    expect(topic).toMatchObject({ name: "Open incidents", id: report.thread });

    model.reset();
    model.enqueue([say("The site.")]);
    telegram.say(ada, forum, "which one?", { thread: report.thread });
    const answer = await telegram.waitForMessage(forum, ({ text }) => text.includes("The site."));
    expect(answer.thread).toBe(report.thread);
    expect(model.requests[0]?.lastUserText).toMatch(/<reports>\n- .*"Open incidents": One since noon\./u);
  });

  it("go to the chat itself where we may make no topics, and their author hears so once", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const forum = await openForum("Sales", "member");
    await addRoutine(world, "Numbers", String(forum), true);
    for (const text of ["Sales are up.", "Sales are down."]) {
      model.enqueue([say(text)]);
      telegram.say(ada, ada, "/routine run Numbers");
      expect((await telegram.waitForMessage(forum, (message) => message.text.includes(text))).thread).toBeUndefined();
    }
    await telegram.waitForMessage(ada, ({ text }) => /"Numbers".*Sales/u.test(text));
    await world.allPosted();
    const told = telegram.chat(ada).fromBot.filter(({ text }) => text.includes("thread of its own"));
    expect(told).toHaveLength(1);
  });
});
