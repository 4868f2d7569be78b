import { LogLevel, SocketModeClient } from "@slack/socket-mode";
import type { AnyBlock } from "@slack/types";
import { ErrorCode, WebClient, type WebClientOptions } from "@slack/web-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlack, type Slack, type SlackOptions } from "../fakes/slack/index.ts";

const quiet = { logLevel: LogLevel.ERROR, logger: silent() };

/** The stand-in against Slack's own clients: as strict as Slack where Shipmate depends on it. */
describe("the Slack stand-in's Web API", () => {
  let slack: Slack;
  let web: WebClient;
  let time = Date.parse("2026-11-20T10:00:00Z");

  beforeEach(async () => {
    slack = await createSlack({ now: () => time });
    web = client(slack, slack.botToken);
  });
  afterEach(() => slack.close());

  const button = (over: object = {}) => ({ type: "button", text: plain("Go"), action_id: "go", value: "1", ...over });
  const actions = (...elements: object[]) => [{ type: "actions", elements }] as unknown as AnyBlock[];
  const post = (blocks: readonly object[], text = "x") =>
    web.chat.postMessage({ channel: slack.general, text, blocks: blocks as AnyBlock[] });

  it("says who the bot is, and what it was granted", async () => {
    const me = await web.auth.test();
    expect(me).toMatchObject({ ok: true, team_id: slack.teamId, user_id: slack.botUserId, bot_id: slack.botId });
    expect(me.response_metadata?.scopes).toContain("chat:write.customize");
    const bare = await createSlack({ customize: false });
    const answer = await client(bare, bare.botToken).auth.test();
    expect(answer.response_metadata?.scopes).not.toContain("chat:write.customize");
    await bare.close();
  });

  it("takes each token only where it belongs", async () => {
    const app = client(slack, slack.appToken);
    expect((await app.apps.connections.open()).url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/link\/\?ticket=/);
    expect(await refusal(web.apps.connections.open())).toMatchObject({ error: "not_allowed_token_type" });
    expect(await refusal(app.team.info())).toMatchObject({ error: "not_allowed_token_type" });
    expect(await refusal(client(slack, "xoxb-wrong").auth.test())).toMatchObject({ error: "invalid_auth" });
    expect(await refusal(client(slack, "").auth.test())).toMatchObject({ error: "not_authed" });
    expect(await refusal(web.apiCall("chat.shout"))).toMatchObject({ error: "unknown_method" });
  });

  it("says which scope is missing", async () => {
    const grant = slack.faults.missingScope("chat:write");
    const call = () => web.chat.postMessage({ channel: slack.general, text: "x" });
    expect(await refusal(call())).toMatchObject({ error: "missing_scope", needed: "chat:write" });
    grant();
    await call();
  });

  it("wants something to show, and not too much of it", async () => {
    const say = (text: string) => web.chat.postMessage({ channel: slack.general, text });
    expect(await refusal(say(" "))).toMatchObject({ error: "no_text" });
    await say("a".repeat(40_000));
    expect(await refusal(say("a".repeat(40_001)))).toMatchObject({ error: "msg_too_long" });
    const markdown = (length: number) =>
      web.chat.postMessage({ channel: slack.general, markdown_text: "a".repeat(length) });
    await markdown(12_000);
    expect(await refusal(markdown(12_001))).toMatchObject({ error: "msg_too_long" });
  });

  it.each<[string, readonly object[], string]>([
    ["51 blocks", Array.from({ length: 51 }, () => ({ type: "divider" })), "/blocks"],
    ["a section of 3,001", [{ type: "section", text: mrkdwn("a".repeat(3001)) }], "/blocks/0/text/text"],
    ["an empty section", [{ type: "section", text: mrkdwn("") }], "/blocks/0/text/text"],
    ["a header of 151", [{ type: "header", text: plain("a".repeat(151)) }], "/blocks/0/text/text"],
    ["a block of an unknown kind", [{ type: "carrousel" }], "/blocks/0/type"],
    ["an input in a message", [{ type: "input", label: plain("x"), element: {} }], "/blocks/0/type"],
    [
      "26 buttons in a row",
      actions(...Array.from({ length: 26 }, (_, i) => button({ action_id: `${i}` }))),
      "elements",
    ],
    ["a label of 76", actions(button({ text: plain("a".repeat(76)) })), "/blocks/0/elements/0/text/text"],
    ["a value of 2,001", actions(button({ value: "a".repeat(2001) })), "/blocks/0/elements/0/value"],
    ["an unknown style", actions(button({ style: "warning" })), "style"],
    ["an action id of 256", actions(button({ action_id: "a".repeat(256) })), "action_id"],
    ["one action id twice in a block", actions(button(), button()), "/blocks/0/elements/1/action_id"],
    [
      "one block id twice",
      [
        { type: "divider", block_id: "b" },
        { type: "divider", block_id: "b" },
      ],
      "/blocks/1/block_id",
    ],
    ["101 options", actions(choice(101)), "options"],
    ["an option of 76", actions(choice(1, "a".repeat(76))), "/options/0/text"],
    ["an option's value of 151", actions(choice(1, "x", "v".repeat(151))), "/options/0/value"],
    ["a table of 101 rows", [table(101, 1)], "/blocks/0/rows"],
    ["a table of 21 columns", [table(1, 21)], "/blocks/0/rows/0"],
    ["a table with an empty cell", [table(1, 1, "")], "/blocks/0/rows/0/0/text"],
  ])("refuses %s, and says where", async (_name, blocks, place) => {
    const { error, response_metadata } = await refusal(post(blocks));
    expect(error).toBe("invalid_blocks");
    expect(response_metadata?.messages?.join()).toContain(place);
  });

  it("takes all of these at their limit", async () => {
    await post([
      { type: "section", text: mrkdwn("a".repeat(3000)) },
      { type: "header", text: plain("a".repeat(150)) },
      ...actions(...Array.from({ length: 25 }, (_, i) => button({ action_id: `${i}`, value: "v".repeat(2000) }))),
      ...actions(choice(100, "a".repeat(60), "v".repeat(140))),
      table(100, 20),
    ]);
  });

  it("counts Markdown by itself and all blocks together", async () => {
    const markdown = (length: number) => ({ type: "markdown", text: "a".repeat(length) });
    await post([markdown(12_000), { type: "section", text: mrkdwn("a".repeat(1130)) }]);
    expect(await refusal(post([markdown(12_001)]))).toMatchObject({ error: "msg_blocks_too_long" });
    const together = [markdown(12_000), { type: "section", text: mrkdwn("a".repeat(1131)) }];
    expect(await refusal(post(together))).toMatchObject({ error: "msg_blocks_too_long" });
  });

  it("shows what a person reads: names for ids, labels for links, blocks instead of the text", async () => {
    await web.chat.postMessage({ channel: slack.general, text: `<@${slack.ada}> a &lt; b <https://x.example|there>` });
    await post([{ type: "section", text: mrkdwn("*All* done") }, ...actions(button())], "fallback");
    const [first, second] = slack.messages(slack.general);
    expect(first).toMatchObject({ text: "@Ada a < b there", pings: [slack.ada] });
    expect(second).toMatchObject({ text: "*All* done", source: "fallback", buttons: [{ label: "Go", value: "1" }] });
  });

  it("counts whom a message would notify, in text and in blocks, but not in code", async () => {
    const pings = async (blocks: readonly object[], text = "x") => {
      const { ts = "" } = await post(blocks, text);
      return slack.message({ channel: slack.general, ts })?.pings;
    };
    expect(await pings([{ type: "markdown", text: "<!channel> and `<!here>`" }])).toEqual(["channel"]);
    expect(await pings([{ type: "markdown", text: "&lt;!channel&gt;" }])).toEqual([]);
    expect(await pings([{ type: "divider" }], "<!everyone>")).toEqual(["everyone"]);
    expect(await pings([{ type: "section", text: plain("<!here>") }])).toEqual([]);
  });

  it("lets the bot write only where it is, and where somebody is", async () => {
    const say = (channel: string) => web.chat.postMessage({ channel, text: "x" });
    expect(await refusal(say("C0NOWHERE"))).toMatchObject({ error: "channel_not_found" });
    const outside = slack.channel("outside", { botIn: false });
    const secret = slack.channel("secret", { botIn: false, private: true });
    expect(await refusal(say(outside))).toMatchObject({ error: "not_in_channel" });
    expect(await refusal(say(secret))).toMatchObject({ error: "channel_not_found" });
    slack.archive(slack.ada, slack.general);
    expect(await refusal(say(slack.general))).toMatchObject({ error: "is_archived" });
    await say(slack.ada);
    expect(slack.fromBot(slack.dm(slack.ada))).toHaveLength(1);
  });

  it("changes and deletes the bot's own messages only", async () => {
    const theirs = slack.say(slack.ada, slack.general, "mine");
    const at = { channel: slack.general, ts: theirs.ts };
    expect(await refusal(web.chat.update({ ...at, text: "y" }))).toMatchObject({ error: "cant_update_message" });
    expect(await refusal(web.chat.delete(at))).toMatchObject({ error: "cant_delete_message" });
    const { ts = "" } = await post([{ type: "section", text: mrkdwn("one") }, ...actions(button())]);
    const ours = { channel: slack.general, ts };
    const blocks = [{ type: "section" as const, text: mrkdwn("two") }];
    await web.chat.update({ ...ours, text: "fallback", blocks });
    expect(slack.message(ours)).toMatchObject({ text: "two", edited: false, edits: ["one"] });
    // A text without blocks takes the blocks away, buttons and all.
    await web.chat.update({ ...ours, text: "three" });
    expect(slack.message(ours)).toMatchObject({ text: "three", buttons: [], edited: true, edits: ["one", "two"] });
    expect(await refusal(web.chat.update({ ...ours, text: "a".repeat(4001) }))).toMatchObject({
      error: "msg_too_long",
    });
    await web.chat.delete(ours);
    expect(slack.message(ours)).toBeUndefined();
    expect(await refusal(web.chat.delete(ours))).toMatchObject({ error: "message_not_found" });
  });

  it("gives posts a name and a picture where that was granted, and ignores them where not", async () => {
    const milo = { channel: slack.general, text: "Hi", username: "Milo", icon_emoji: ":cat:" };
    const { message } = await web.chat.postMessage(milo);
    expect(message).toMatchObject({ subtype: "bot_message", username: "Milo", bot_id: slack.botId });
    expect(message?.user).toBeUndefined();
    slack.faults.missingScope("chat:write.customize");
    await web.chat.postMessage(milo);
    expect(slack.fromBot(slack.general).map(({ author }) => author)).toMatchObject([
      { id: slack.botUserId, name: "Milo", icon: ":cat:", bot: true },
      { id: slack.botUserId, name: "Shipmate", icon: undefined },
    ]);
  });

  it("reads a thread and a channel page by page, with metadata on request", async () => {
    const root = slack.say(slack.ada, slack.general, "root");
    const metadata = { event_type: "shipmate_post", event_payload: { key: "k1" } };
    for (const text of ["one", "two", "three"]) {
      await web.chat.postMessage({ channel: slack.general, thread_ts: root.ts, text, metadata });
    }
    const first = await web.conversations.replies({ channel: slack.general, ts: root.ts, limit: 2 });
    expect(first.messages?.map(({ text }) => text)).toEqual(["root", "one", "two"]);
    expect(first.messages?.[0]).toMatchObject({ reply_count: 3, thread_ts: root.ts });
    expect(first.messages?.[1]?.metadata).toBeUndefined();
    const cursor = first.response_metadata?.next_cursor ?? "";
    const second = await web.conversations.replies({
      channel: slack.general,
      ts: root.ts,
      cursor,
      limit: 2,
      include_all_metadata: true,
    });
    expect(second).toMatchObject({ has_more: false, messages: [{ text: "root" }, { text: "three", metadata }] });
    const last = slack.say(slack.ada, slack.general, "last");
    const history = async (more: object) => {
      const { messages } = await web.conversations.history({ channel: slack.general, ...more });
      return messages?.map(({ text }) => text);
    };
    expect(await history({})).toEqual(["last", "root"]);
    expect(await history({ oldest: root.ts })).toEqual(["last"]);
    expect(await history({ oldest: root.ts, inclusive: true, latest: last.ts })).toEqual(["last", "root"]);
    expect(await refusal(web.conversations.history({ channel: slack.general, cursor: "x" }))).toMatchObject({
      error: "invalid_cursor",
    });
  });

  it("keeps reactions to one of a kind, and finds the one to remove", async () => {
    const at = { channel: slack.general, timestamp: slack.say(slack.ada, slack.general, "x").ts, name: "eyes" };
    await web.reactions.add(at);
    expect(await refusal(web.reactions.add(at))).toMatchObject({ error: "already_reacted" });
    await web.reactions.remove(at);
    expect(await refusal(web.reactions.remove(at))).toMatchObject({ error: "no_reaction" });
    expect(await refusal(web.reactions.add({ ...at, name: "👀" }))).toMatchObject({ error: "invalid_name" });
  });

  it("shows a status line until the next message of the app, or for two minutes", async () => {
    const { ts } = slack.say(slack.ada, slack.general, "do it");
    const status = (text: string) =>
      web.assistant.threads.setStatus({ channel_id: slack.general, thread_ts: ts, status: text });
    await status("is thinking…");
    expect(slack.status(slack.general, ts)).toMatchObject({ text: "is thinking…" });
    await web.chat.postMessage({ channel: slack.general, thread_ts: ts, text: "done" });
    expect(slack.status(slack.general, ts)).toBeUndefined();
    await status("again");
    time += 120_000;
    expect(slack.status(slack.general, ts)).toBeUndefined();
    await status("");
    expect(slack.statuses(slack.general, ts)).toEqual(["is thinking…", "again", ""]);
    const nowhere = web.assistant.threads.setStatus({ channel_id: slack.general, thread_ts: "1.000001", status: "x" });
    expect(await refusal(nowhere)).toMatchObject({ error: "invalid_thread_ts" });
  });

  it("offers up to four prompts in a conversation, and none in a channel", async () => {
    const prompts = (count: number) => Array.from({ length: count }, (_, i) => ({ title: `t${i}`, message: `m${i}` }));
    const suggest = (channel_id: string, count: number) =>
      web.assistant.threads.setSuggestedPrompts({ channel_id, prompts: prompts(count) as never });
    const dm = slack.dm(slack.ada);
    await suggest(dm, 4);
    expect(slack.suggested(dm)).toHaveLength(4);
    expect(await refusal(suggest(dm, 5))).toMatchObject({ error: "invalid_arguments" });
    expect(await refusal(suggest(slack.general, 1))).toMatchObject({ error: "channel_not_supported" });
  });

  it("streams an answer, and ends a stream that says nothing for too long", async () => {
    const { ts: thread_ts } = slack.say(slack.ada, slack.general, "tell me");
    const to = { channel: slack.general, thread_ts };
    expect(await refusal(web.chat.startStream(to))).toMatchObject({ error: "missing_recipient_team_id" });
    const whom = { recipient_user_id: slack.ada, recipient_team_id: slack.teamId };
    const { ts = "" } = await web.chat.startStream({ ...to, ...whom, markdown_text: "One " });
    const stream = { channel: slack.general, ts };
    await web.chat.appendStream({ ...stream, markdown_text: "two" });
    expect(slack.message(stream)).toMatchObject({ text: "One two", streaming: "in_progress" });
    await web.chat.stopStream({ ...stream, blocks: actions(button()) as never });
    expect(slack.message(stream)).toMatchObject({ streaming: "completed", buttons: [{ label: "Go" }] });
    const late = web.chat.appendStream({ ...stream, markdown_text: "!" });
    expect(await refusal(late)).toMatchObject({ error: "message_not_in_streaming_state" });
    const other = await web.chat.startStream({ ...to, ...whom });
    time += 600_000;
    const idle = web.chat.appendStream({ channel: slack.general, ts: other.ts ?? "", markdown_text: "x" });
    expect(await refusal(idle)).toMatchObject({ error: "message_not_in_streaming_state" });
  });

  it("shows a private message to one member only", async () => {
    const whisper = (user: string) => web.chat.postEphemeral({ channel: slack.general, user, text: "psst" });
    const ben = slack.person("Ben");
    await whisper(ben);
    expect(slack.ephemerals(ben)).toMatchObject([{ text: "psst", channel: slack.general }]);
    expect(slack.messages(slack.general)).toHaveLength(0);
    slack.leave(ben, slack.general);
    expect(await refusal(whisper(ben))).toMatchObject({ error: "user_not_in_channel" });
  });

  it("takes a file in three steps and gives it back to who may read it", async () => {
    const bytes = Buffer.from("line one\r\nline two\r\n--not-a-boundary\r\n");
    await web.filesUploadV2({
      channel_id: slack.general,
      initial_comment: "here",
      file: bytes,
      filename: "report.txt",
    });
    const shared = await slack.waitForMessage(slack.general, ({ files }) => files.length > 0);
    expect(shared).toMatchObject({ text: "here", subtype: "file_share", files: [{ name: "report.txt", bytes }] });
    const { messages } = await web.conversations.history({ channel: slack.general });
    const address = messages?.[0]?.files?.[0]?.url_private ?? "";
    const get = (headers: Record<string, string>) => fetch(address, { headers });
    const mine = await get({ authorization: `Bearer ${slack.botToken}` });
    expect(Buffer.from(await mine.arrayBuffer())).toEqual(bytes);
    const stranger = await get({});
    expect(stranger.status).toBe(200);
    expect(stranger.headers.get("content-type")).toContain("text/html");
    const missing = web.files.completeUploadExternal({ files: [{ id: "F1" }], channel_id: slack.general });
    expect(await refusal(missing)).toMatchObject({ error: "file_not_found" });
  });

  it("knows people, channels and members", async () => {
    const secret = slack.channel("secret", { private: true, members: [slack.ada] });
    expect(await web.users.info({ user: slack.ada })).toMatchObject({ user: { real_name: "Ada", is_bot: false } });
    expect(await refusal(web.users.info({ user: "U0NOBODY" }))).toMatchObject({ error: "user_not_found" });
    const info = await web.conversations.info({ channel: secret });
    expect(info.channel).toMatchObject({ name: "secret", is_private: true, is_member: true });
    const { members } = await web.conversations.members({ channel: secret });
    expect(members).toEqual([slack.ada, slack.botUserId]);
    const { channel } = await web.conversations.open({ users: slack.ada });
    expect(channel?.id).toBe(slack.dm(slack.ada));
    expect(await web.bots.info({ bot: slack.botId })).toMatchObject({ bot: { user_id: slack.botUserId } });
  });

  it("fails in the ways it is told to, as often as it is told to", async () => {
    const say = () => web.chat.postMessage({ channel: slack.general, text: "x" });
    slack.faults.rateLimit("chat.postMessage", { retryAfter: 7 });
    await expect(say()).rejects.toMatchObject({ code: ErrorCode.RateLimitedError, retryAfter: 7 });
    slack.faults.serverError("chat.postMessage", { status: 503 });
    await expect(say()).rejects.toMatchObject({ code: ErrorCode.HTTPError, statusCode: 503 });
    expect(slack.messages(slack.general)).toHaveLength(0);
    slack.faults.loseResponseAfterEffect("chat.postMessage");
    await expect(say()).rejects.toMatchObject({ code: ErrorCode.RequestError });
    expect(slack.messages(slack.general)).toHaveLength(1);
    slack.faults.reject("chat.postMessage", "restricted_action", { times: 2 });
    expect(await refusal(say())).toMatchObject({ error: "restricted_action" });
    expect(await refusal(say())).toMatchObject({ error: "restricted_action" });
    slack.faults.invalidAuth("token_revoked");
    expect(await refusal(web.auth.test())).toMatchObject({ error: "token_revoked" });
    slack.faults.authorize();
    await slack.faults.refuseConnections();
    await expect(say()).rejects.toMatchObject({ code: ErrorCode.RequestError });
    await slack.faults.acceptConnections();
    await say();
    expect(slack.calls("chat.postMessage").map(({ status }) => status)).toEqual([429, 503, undefined, 200, 200, 200]);
  });
});

describe("the Slack stand-in's Socket Mode", () => {
  const timing = { ackMs: 100, retryMs: [10, 20, 30], pingMs: 50 } as const;
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
      clientPingTimeout: 40,
      serverPingTimeout: 300,
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

  it("tells nothing of channels the bot is not in, and who let it in", async () => {
    await connect();
    const outside = slack.channel("outside", { botIn: false });
    slack.say(slack.ada, outside, `<@${slack.botUserId}> anybody?`);
    slack.invite(slack.ada, outside);
    await slack.waitFor(() => heard.length === 2);
    expect(events()).toMatchObject([
      { type: "member_joined_channel", user: slack.botUserId, inviter: slack.ada, channel: outside },
      { type: "message", subtype: "channel_join", user: slack.botUserId },
    ]);
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
    slack = await createSlack({ timing });
    await listen(slack, () => undefined);
    slack.say(slack.ada, slack.general, "hello?");
    await slack.waitFor(() => slack.lost().length === 1);
    expect(heard.map(({ retry_num }) => retry_num)).toEqual([0, 1, 2, 3]);
    expect(new Set(heard.map(({ body }) => body.event_id)).size).toBe(1);
    expect(slack.envelopes("message").map(({ ackedAfterMs }) => ackedAfterMs)).toEqual(Array(4).fill(undefined));
  });

  it("delivers what happened while nobody listened with one of the later tries", async () => {
    await connect({ timing: { ...timing, retryMs: [10, 20, 2000] } });
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
    await expect.poll(() => connections).toBe(3);
    expect(slack.sockets().map((socket) => socket.open)).toEqual([false, true, true]);
  });

  it("lets a socket go silent, which the client notices by itself", async () => {
    await connect();
    slack.faults.silence();
    slack.say(slack.ada, slack.general, "into the void");
    expect(slack.envelopes("message")).toHaveLength(1);
    expect(heard).toHaveLength(0);
    await expect.poll(() => connections).toBe(2);
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

function client(slack: Slack, token: string): WebClient {
  const options: WebClientOptions = {
    slackApiUrl: slack.url,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  };
  return new WebClient(token, { ...options, ...quiet });
}

interface Refusal {
  readonly error: string;
  readonly needed?: string;
  readonly response_metadata?: { readonly messages?: readonly string[] };
}

async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: ErrorCode.PlatformError });
  return (error as { data: Refusal }).data;
}

function plain(text: string) {
  return { type: "plain_text" as const, text };
}

function mrkdwn(text: string) {
  return { type: "mrkdwn" as const, text };
}

function button(label: string, value: string) {
  return { type: "button" as const, text: plain(label), action_id: `press:${value}`, value };
}

function row(...elements: ReturnType<typeof button>[]) {
  return { type: "actions" as const, elements };
}

function choice(count: number, label = "x", value = "v") {
  const options = Array.from({ length: count }, (_, index) => ({
    text: plain(label),
    value: `${value}${index}`.slice(-151),
  }));
  return { type: "static_select", action_id: "choose", options };
}

function table(rows: number, columns: number, text = "x") {
  const cells = Array.from({ length: columns }, () => ({ type: "raw_text", text }));
  return { type: "table", rows: Array.from({ length: rows }, () => cells) };
}

function modal(label: string) {
  const element = { type: "plain_text_input" as const, action_id: "text", multiline: true };
  const blocks = [{ type: "input" as const, label: plain(label), element }];
  return { type: "modal" as const, title: plain("Question"), submit: plain("Send"), blocks };
}

function silent() {
  const nothing = () => undefined;
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    setLevel: nothing,
    setName: nothing,
    getLevel: () => LogLevel.ERROR,
  };
}
