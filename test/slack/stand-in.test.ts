import type { AnyBlock } from "@slack/types";
import { ErrorCode, type WebClient } from "@slack/web-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlack, type Slack } from "../fakes/slack/index.ts";
import { choice, client, mrkdwn, plain, refusal, table } from "./clients.ts";

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
    const cut = await say("a".repeat(40_001));
    expect(cut.response_metadata?.warnings).toEqual(["message_truncated"]);
    expect(slack.messages(slack.general)[0]?.text).toHaveLength(40_000);
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
    expect(await refusal(suggest(slack.general, 1))).toMatchObject({ error: "channel_not_found" });
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
    const unwanted = await web.chat.startStream({ ...to, ...whom, markdown_text: "blah" });
    slack.stopStream(slack.ada, { channel: slack.general, ts: unwanted.ts ?? "" });
    const more = web.chat.appendStream({ channel: slack.general, ts: unwanted.ts ?? "", markdown_text: " blah" });
    expect(await refusal(more)).toMatchObject({ error: "stopped_by_user" });
    const cut = await web.chat.startStream({ ...to, ...whom });
    slack.faults.streamTimeout();
    const gone = web.chat.stopStream({ channel: slack.general, ts: cut.ts ?? "" });
    expect(await refusal(gone)).toMatchObject({ error: "message_not_in_streaming_state" });
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
