import { SocketModeClient } from "@slack/socket-mode";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlack, type Slack, type SlackOptions } from "../fakes/slack/index.ts";
import { button, client, modal, mrkdwn, plain, quiet, refusal, row } from "./clients.ts";

describe("the Slack stand-in's Socket Mode", () => {
  const timing = { pingMs: 50 };
  let slack: Slack;
  let open: SocketModeClient[];
  const heard: Heard[] = [];
  let connections: number;

  const connect = async (options: SlackOptions = {}) => {
    slack = await createSlack({ timing, ...options });
    return listen(slack);
  };
  const listen = async (to: Slack, ack: Ack = () => ({})) => {
    const socket = new SocketModeClient({
      appToken: to.appToken,
      clientOptions: { slackApiUrl: to.url, ...quiet },
      ...quiet,
      clientPingTimeout: 800,
      serverPingTimeout: 3000,
    });
    socket.on("slack_event", async (event: Heard & { ack(with_?: unknown): Promise<void> }) => {
      heard.push({ type: event.type, body: event.body, retry_num: event.retry_num });
      const payload = ack(event);
      if (payload !== undefined) await event.ack(payload).catch(() => undefined);
    });
    socket.on("connected", () => {
      connections += 1;
    });
    await socket.start();
    open.push(socket);
    return socket;
  };

  beforeEach(() => {
    open = [];
    heard.length = 0;
    connections = 0;
  });
  afterEach(async () => {
    await Promise.all(open.map((socket) => socket.disconnect()));
    await slack.close();
  });

  const events = () => heard.flatMap(({ body }) => (body.event ? [body.event] : []));

  it("tells a mention twice, as two events with ids of their own", async () => {
    await connect();
    const said = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> fish & chips`);
    await slack.waitFor(() => heard.length === 2);
    expect(events()).toMatchObject([
      {
        type: "message",
        channel_type: "channel",
        user: slack.ada,
        text: `<@${slack.botUserId}> fish &amp; chips`,
        ts: said.ts,
        blocks: [
          {
            type: "rich_text",
            elements: [
              {
                elements: [
                  { type: "user", user_id: slack.botUserId },
                  { type: "text", text: " fish & chips" },
                ],
              },
            ],
          },
        ],
      },
      { type: "app_mention", ts: said.ts, channel: slack.general },
    ]);
    expect(new Set(heard.map(({ body }) => body.event_id)).size).toBe(2);
    slack.say(slack.ada, slack.general, `<@${slack.botUserId}> other way round`, { first: "app_mention" });
    await slack.waitFor(() => heard.length === 4);
    expect(events().map(({ type }) => type)).toEqual(["message", "app_mention", "app_mention", "message"]);
  });

  it("tells of conversations, edits, previews, deletions and the bot's own words", async () => {
    await connect();
    const dm = slack.dm(slack.ada);
    const said = slack.say(slack.ada, dm, "see https://example.com/");
    slack.unfurl(said);
    slack.edit(slack.ada, said, "never mind");
    slack.deleteMessage(slack.ada, said);
    await client(slack, slack.botToken).chat.postMessage({ channel: dm, text: "Hello" });
    await slack.waitFor(() => heard.length === 5);
    expect(events()).toMatchObject([
      { type: "message", channel_type: "im" },
      { subtype: "message_changed", hidden: true, message: { text: said.source, ts: said.ts } },
      { subtype: "message_changed", message: { text: "never mind", edited: { user: slack.ada } } },
      { subtype: "message_deleted", deleted_ts: said.ts },
      { type: "message", user: slack.botUserId, bot_id: slack.botId, text: "Hello" },
    ]);
    expect(events()[1]?.message).not.toHaveProperty("edited");
  });

  it("tells nothing of channels the bot is not in, who let it in and who took it out", async () => {
    await connect();
    const outside = slack.channel("outside", { botIn: false });
    slack.say(slack.ada, outside, `<@${slack.botUserId}> anybody?`);
    slack.invite(slack.ada, outside);
    await slack.waitFor(() => heard.length === 2);
    expect(events()).toMatchObject([
      { type: "member_joined_channel", user: slack.botUserId, inviter: slack.ada, channel: outside },
      { type: "message", subtype: "channel_join", user: slack.botUserId },
    ]);
    slack.kick(slack.ada, outside);
    slack.say(slack.ada, outside, `<@${slack.botUserId}> gone?`);
    slack.archive(slack.ada, slack.general);
    await slack.waitFor(() => heard.length === 6);
    expect(events().slice(2)).toMatchObject([
      { type: "channel_left", channel: outside, actor_id: slack.ada },
      { type: "member_left_channel", channel: outside, user: slack.botUserId },
      { type: "message", subtype: "channel_archive", channel: slack.general },
      { type: "channel_archive", channel: slack.general, user: slack.ada },
    ]);
  });

  it("tells who else speaks: other bots, a customised self, files, replies shown in the channel, a root that is gone", async () => {
    await connect();
    const penny = slack.person("Penny's bot", { bot: true });
    const root = slack.say(penny, slack.general, "root");
    const files = [{ name: "notes.txt", bytes: Buffer.from("x") }];
    slack.say(slack.ada, slack.general, `<@${slack.botUserId}> read this`, { thread: root.ts, files });
    slack.say(slack.ada, slack.general, "for all", { thread: root.ts, broadcast: true });
    const web = client(slack, slack.botToken);
    await web.chat.postMessage({ channel: slack.general, text: "Hi", username: "Milo", icon_emoji: ":cat:" });
    slack.deleteMessage(penny, root);
    await slack.waitFor(() => heard.length === 6);
    expect(events()).toMatchObject([
      { type: "message", user: penny, bot_id: expect.stringMatching(/^B/) },
      {
        subtype: "file_share",
        thread_ts: root.ts,
        parent_user_id: penny,
        files: [
          { name: "notes.txt", mimetype: "text/plain", size: 1, url_private: expect.stringContaining("/files-pri/") },
        ],
      },
      { type: "app_mention", thread_ts: root.ts, files: [{ name: "notes.txt" }] },
      { subtype: "thread_broadcast", root: { ts: root.ts } },
      { subtype: "bot_message", username: "Milo", bot_id: slack.botId },
      { subtype: "message_changed", message: { subtype: "tombstone", ts: root.ts } },
    ]);
    expect(events()[4]).not.toHaveProperty("user");
  });

  it("lets a person choose from a list", async () => {
    await connect();
    const choose = {
      type: "static_select" as const,
      action_id: "who",
      placeholder: plain("Who?"),
      options: ["Milo", "Penny"].map((name) => ({ text: plain(name), value: `t:${name}` })),
    };
    const blocks = [{ type: "actions" as const, elements: [choose] }];
    await client(slack, slack.botToken).chat.postMessage({ channel: slack.general, text: "?", blocks });
    const card = await slack.waitForMessage(slack.general, ({ selects }) => selects.length === 1);
    expect(card.selects).toMatchObject([{ label: "Who?", options: [{ label: "Milo" }, { label: "Penny" }] }]);
    const choice = slack.select(slack.ada, card, "Penny");
    await slack.waitFor(() => choice.state() === "acked");
    expect(heard.at(-1)?.body).toMatchObject({
      actions: [{ type: "static_select", action_id: "who", selected_option: { value: "t:Penny" } }],
    });
  });

  it("deals each event to one of the open sockets in turn, ten at most", async () => {
    await connect();
    await listen(slack);
    for (const text of ["1", "2", "3", "4"]) slack.say(slack.ada, slack.general, text);
    await slack.waitFor(() => heard.length === 4);
    expect(slack.sockets().map(({ sent }) => sent.length)).toEqual([2, 2]);
    for (let more = 0; more < 8; more += 1) await listen(slack);
    const extra = new WebSocket((await client(slack, slack.appToken).apps.connections.open()).url ?? "");
    const first = await new Promise<string>((resolve) => {
      extra.onmessage = ({ data }) => resolve(String(data));
    });
    expect(JSON.parse(first)).toMatchObject({ type: "disconnect", reason: "too_many_websockets" });
  });

  it("offers an event that nobody acknowledges three times more, then gives it up", async () => {
    slack = await createSlack({ timing: { ackMs: 50, retryMs: [10, 20, 30] } });
    await listen(slack, () => undefined);
    slack.say(slack.ada, slack.general, "hello?");
    await slack.waitFor(() => slack.lost().length === 1);
    expect(heard.map(({ retry_num }) => retry_num)).toEqual([0, 1, 2, 3]);
    expect(new Set(heard.map(({ body }) => body.event_id)).size).toBe(1);
    expect(slack.envelopes("message").map(({ ackedAfterMs }) => ackedAfterMs)).toEqual(Array(4).fill(undefined));
  });

  it("delivers what happened while nobody listened with one of the later tries", async () => {
    await connect({ timing: { retryMs: [10, 20, 2000] } });
    const resume = slack.faults.pauseSockets();
    slack.say(slack.ada, slack.general, "anybody?");
    resume();
    await slack.waitFor(() => heard.length === 1);
    expect(heard[0]?.retry_num).toBeGreaterThan(0);
  });

  it("asks a socket to leave and gives it nothing more; another one takes over", async () => {
    await connect();
    await listen(slack);
    slack.faults.refresh({ socket: 1 });
    slack.say(slack.ada, slack.general, "while it leaves");
    await slack.waitFor(() => heard.length === 1);
    expect(slack.sockets()[1]?.sent).toHaveLength(1);
    await expect.poll(() => connections, { timeout: 10_000 }).toBe(3);
    expect(slack.sockets().map((socket) => socket.open)).toEqual([false, true, true]);
  });

  it("lets a socket go silent, which the client notices by itself", async () => {
    await connect();
    slack.faults.silence();
    slack.say(slack.ada, slack.general, "into the void");
    expect(slack.envelopes("message")).toHaveLength(1);
    expect(heard).toHaveLength(0);
    await expect.poll(() => connections, { timeout: 10_000 }).toBe(2);
    expect(slack.sockets().map((socket) => socket.open)).toEqual([false, true]);
  });

  it("sends events twice and out of order when it is told to", async () => {
    await connect();
    slack.faults.outOfOrder(2);
    slack.say(slack.ada, slack.general, "first");
    const second = slack.say(slack.ada, slack.general, "second");
    await slack.waitFor(() => heard.length === 2);
    expect(events().map(({ text }) => text)).toEqual(["second", "first"]);
    slack.faults.duplicate(second);
    await slack.waitFor(() => heard.length === 3);
    expect(heard[2]?.body.event_id).toBe(heard[0]?.body.event_id);
    slack.faults.duplicate();
    slack.say(slack.ada, slack.general, "twice");
    await slack.waitFor(() => heard.length === 5);
    const enable = slack.faults.disableEvents();
    slack.say(slack.ada, slack.general, "unheard");
    expect(slack.lost()).toHaveLength(1);
    enable();
  });

  it("opens one modal per press, within three seconds, and sends off what was typed", async () => {
    let now = Date.now();
    slack = await createSlack({ timing, now: () => now });
    await listen(slack, ({ body }) => (body.type === "view_submission" ? { response_action: "clear" } : {}));
    const web = client(slack, slack.botToken);
    await web.chat.postMessage({ channel: slack.general, text: "?", blocks: [row(button("Ask", "tok"))] });
    const card = await slack.waitForMessage(slack.general, ({ buttons }) => buttons.length === 1);
    const press = slack.press(slack.ada, card, "Ask");
    expect(() => slack.press(slack.ada, card, "Nope")).toThrow('no button "Nope", only: Ask');
    await slack.waitFor(() => press.state() === "acked");
    const [pressed] = heard.filter(({ type }) => type === "interactive");
    expect(pressed?.body).toMatchObject({
      type: "block_actions",
      actions: [{ type: "button", value: "tok", text: { text: "Ask" } }],
      container: { message_ts: card.ts, channel_id: slack.general },
      user: { id: slack.ada },
    });
    const view = modal("What should I do?");
    await web.views.open({ trigger_id: press.triggerId, view });
    expect(slack.view(slack.ada)).toMatchObject({ title: "Question", inputs: [{ label: "What should I do?" }] });
    const again = web.views.open({ trigger_id: press.triggerId, view });
    expect(await refusal(again)).toMatchObject({ error: "exchanged_trigger_id" });
    slack.submit(slack.ada, "Sail home");
    await slack.waitFor(() => slack.view(slack.ada) === undefined);
    const sent = heard.at(-1)?.body;
    const block = sent?.view?.blocks[0]?.block_id ?? "";
    expect(sent?.view?.state.values[block]).toMatchObject({ text: { value: "Sail home" } });
    const late = slack.press(slack.ada, card, "Ask");
    now += 3001;
    expect(await refusal(web.views.open({ trigger_id: late.triggerId, view }))).toMatchObject({
      error: "expired_trigger_id",
    });
  });

  it.each([
    ["a title of 25", { title: plain("a".repeat(25)) }, "/view/title/text"],
    ["a submit label of 25", { submit: plain("a".repeat(25)) }, "/view/submit/text"],
    ["an input without a submit button", { submit: undefined }, "/view/submit"],
    ["metadata of 3,001", { private_metadata: "a".repeat(3001) }, "/view/private_metadata"],
  ])("refuses a modal with %s", async (_name, over, place) => {
    await connect();
    const { triggerId } = slack.command(slack.ada, slack.general, "/shipmate");
    const view = { ...modal("x"), ...over } as ReturnType<typeof modal>;
    const answer = await refusal(client(slack, slack.botToken).views.open({ trigger_id: triggerId, view }));
    expect(answer.error).toBe("invalid_arguments");
    expect(answer.response_metadata?.messages?.join()).toContain(place);
  });

  it("refuses a field's label over 2,000", async () => {
    await connect();
    const { triggerId } = slack.command(slack.ada, slack.general, "/shipmate");
    const view = modal("a".repeat(2001));
    const answer = await refusal(client(slack, slack.botToken).views.open({ trigger_id: triggerId, view }));
    expect(answer.response_metadata?.messages?.join()).toContain("/view/blocks/0/label/text");
  });

  it("publishes a home page whose buttons work", async () => {
    await connect();
    slack.openHome(slack.ada);
    slack.openMessagesTab(slack.ada);
    await slack.waitFor(() => heard.length === 2);
    expect(events()).toMatchObject([
      { type: "app_home_opened", tab: "home", user: slack.ada },
      { type: "app_home_opened", tab: "messages", channel: slack.dm(slack.ada) },
    ]);
    const blocks = [{ type: "section" as const, text: mrkdwn("Your teammates") }, row(button("Say hi", "hi"))];
    await client(slack, slack.botToken).views.publish({ user_id: slack.ada, view: { type: "home", blocks } });
    const home = slack.home(slack.ada);
    expect(home).toMatchObject({ surface: "home", text: "Your teammates" });
    if (home) slack.press(slack.ada, home, "Say hi");
    await slack.waitFor(() => heard.length === 3);
    expect(heard[2]?.body).toMatchObject({ type: "block_actions", view: { type: "home" }, actions: [{ value: "hi" }] });
  });

  it("carries commands and shortcuts, answers with the acknowledgement, and fails when nobody is there", async () => {
    slack = await createSlack({ timing });
    const socket = await listen(slack, ({ type }) => (type === "slash_commands" ? { text: "On it" } : {}));
    slack.command(slack.ada, slack.general, "/shipmate", "status please");
    expect(await slack.waitForEphemeral(slack.ada, ({ text }) => text === "On it")).toBeDefined();
    expect(heard[0]).toMatchObject({ type: "slash_commands", body: { command: "/shipmate", text: "status please" } });
    const said = slack.say(slack.ada, slack.general, "look into this");
    slack.messageShortcut(slack.ada, said, "ask_about");
    await slack.waitFor(() => heard.length === 3);
    expect(heard[2]?.body).toMatchObject({
      type: "message_action",
      callback_id: "ask_about",
      message: { ts: said.ts },
    });
    await socket.disconnect();
    open = [];
    await slack.waitFor(() => slack.sockets().every((one) => !one.open));
    expect(slack.command(slack.ada, slack.general, "/shipmate").state()).toBe("failed");
  });

  it("takes five answers at a response_url, for half an hour", async () => {
    let now = Date.now();
    await connect({ now: () => now });
    const { responseUrl } = slack.command(slack.ada, slack.general, "/shipmate");
    const answer = async (body: object, to = responseUrl) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(to, { method: "POST", headers, body: JSON.stringify(body) })).status;
    };
    for (const text of ["1", "2", "3", "4"]) expect(await answer({ text })).toBe(200);
    expect(await answer({ text: "5", response_type: "in_channel" })).toBe(200);
    expect(await answer({ text: "6" })).toBe(404);
    expect(slack.ephemerals(slack.ada).map(({ text }) => text)).toEqual(["1", "2", "3", "4"]);
    expect(slack.fromBot(slack.general)).toMatchObject([{ text: "5" }]);
    const other = slack.command(slack.ada, slack.general, "/shipmate").responseUrl;
    now += 1_800_001;
    expect(await answer({ text: "late" }, other)).toBe(404);
  });
});

interface Heard {
  readonly type: string;
  readonly retry_num?: number | undefined;
  readonly body: {
    readonly type?: string;
    readonly event_id?: string;
    readonly event?: Readonly<Record<string, unknown>>;
    readonly view?: {
      readonly blocks: readonly { readonly block_id: string }[];
      readonly state: { readonly values: Readonly<Record<string, unknown>> };
    };
  };
}

type Ack = (event: Heard) => object | undefined;
