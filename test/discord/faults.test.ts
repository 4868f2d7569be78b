import { describe, expect, it, vi } from "vitest";
import {
  type AdapterDeps,
  ConnectionError,
  type InboundEvent,
  type MessageEvent,
  type Post,
} from "../../src/chat/index.ts";
import { mention, wire } from "./harness.ts";

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 10 });
const texts = (events: readonly InboundEvent[]) =>
  events.filter((event): event is MessageEvent => event.kind === "message").map(({ text }) => text);
const says = (text: string, more: Partial<Post> = {}): Post => ({ text, notify: true, ...more });
const create = "POST /channels/:channel/messages";
const delivered = { outcome: "delivered" };
const ago = (ms: number) => new Date(Date.now() - ms);

describe("signing in to Discord", () => {
  it("tells who we are, how to invite us, and what limits us", async () => {
    await using wired = await wire({ connect: false, messageContentIntent: false });
    const { discord, adapter } = wired;
    const account = await adapter.connect();
    expect(account).toMatchObject({ botId: discord.botId, name: "shipmate" });
    expect(account.link).toBe(`https://discord.com/users/${discord.botId}`);
    const link = new URL(account.addLink ?? "");
    expect(link.searchParams.get("scope")).toBe("bot applications.commands");
    expect(link.searchParams.get("client_id")).toBe(discord.applicationId);
    expect(BigInt(link.searchParams.get("permissions") ?? 0) & 8n).toBe(0n);
    expect(account.notes).toEqual([expect.stringContaining("Message Content Intent")]);
  });

  it("F-59 says what to do about a wrong token, without showing it", async () => {
    await using wired = await wire({ connect: false });
    const { discord, adapter, states } = wired;
    discord.faults.unauthorize();
    const error = await adapter.connect().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ kind: "invalid_token", message: expect.stringContaining("developer portal") });
    expect(states.at(-1)).toMatchObject({ state: "misconfigured" });
    expect(JSON.stringify([states, String(error)])).not.toContain(discord.token);
    discord.faults.authorize();
    expect(await adapter.connect()).toMatchObject({ botId: discord.botId });
  });

  it("says that Discord cannot be reached", async () => {
    await using wired = await wire({ connect: false });
    await wired.discord.faults.refuseConnections();
    await expect(wired.adapter.connect()).rejects.toMatchObject({ kind: "unreachable" });
  });
});

describe("the line to Discord", () => {
  it("goes on where it was after it was cut", async () => {
    await using wired = await wire();
    const { discord, events, states } = wired;
    const direct = discord.dm(discord.ada);
    discord.say(discord.ada, direct, "one");
    await until(() => expect(texts(events)).toEqual(["one"]));
    discord.faults.dropGateway();
    discord.say(discord.ada, direct, "two");
    await until(() => expect(texts(events)).toEqual(["one", "two"]));
    expect(discord.gateway.resumes).toBe(1);
    expect(states.map(({ state }) => state).slice(-2)).toEqual(["reconnecting", "connected"]);
    discord.faults.requestReconnect();
    await discord.waitFor(() => discord.gateway.resumes === 2);
    discord.say(discord.ada, direct, "three");
    await until(() => expect(texts(events)).toEqual(["one", "two", "three"]));
  });

  it("F-03 brings what was said during a lost session, once and before what is new", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const direct = discord.dm(discord.ada);
    discord.say(discord.ada, direct, "before");
    await until(() => expect(texts(events)).toEqual(["before"]));
    wired.known = [{ channel: direct, kind: "dm", threads: [], since: ago(60_000) }];
    discord.faults.pauseGateway();
    discord.say(discord.ada, direct, "during");
    discord.faults.resumeGateway();
    await discord.waitFor(() => discord.gateway.ready, 20_000);
    discord.say(discord.ada, direct, "after");
    await until(() => expect(texts(events)).toEqual(["before", "during", "after"]));
    expect(discord.gateway.identifies).toHaveLength(2);
  }, 40_000);

  it("F-03 brings it also where the database was away when the line came back", async () => {
    let failures = 0;
    let known: AdapterDeps["known"] = async () => [];
    await using wired = await wire({ deps: { known: () => known() } });
    const { discord, events } = wired;
    const direct = discord.dm(discord.ada);
    const stop = says("working", { buttons: [[{ label: "Stop", token: "stop" }]] });
    const card = await wired.adapter.post({ channel: direct }, stop, "card");
    let away = true;
    known = async () => {
      failures += 1;
      if (away) throw new Error("the database is away");
      return [{ channel: direct, kind: "dm", threads: [], since: ago(60_000) }];
    };
    discord.faults.pauseGateway();
    discord.say(discord.ada, direct, "during");
    discord.faults.resumeGateway();
    await until(() => expect(failures).toBeGreaterThan(2));
    discord.say(discord.ada, direct, "after");
    discord.say(discord.ada, discord.general, "elsewhere");
    // A press waits for nothing, and came behind the messages.
    discord.press(discord.ada, card.outcome === "delivered" ? card.messageId : "", "Stop");
    await until(() => expect(events.map(({ kind }) => kind)).toEqual(["button"]));
    away = false;
    await until(() => expect(texts(events)).toHaveLength(3));
    expect(texts(events).filter((text) => text !== "elsewhere")).toEqual(["during", "after"]);
  }, 40_000);

  it("is made though the database is away at the start, and stopping ends the waiting", async () => {
    let away = true;
    const known = async () => {
      if (away) throw new Error("the database is away");
      return [];
    };
    await using wired = await wire({ deps: { known }, start: false });
    const { discord, events, adapter } = wired;
    const first = wired.start();
    await until(() => expect(wired.warnings).not.toEqual([]));
    await adapter.stop();
    await first;
    const second = wired.start();
    away = false;
    await second;
    discord.say(discord.ada, discord.general, "hello");
    await until(() => expect(texts(events)).toEqual(["hello"]));
  });

  it("F-60 that is deaf is noticed and renewed", async () => {
    await using wired = await wire({ heartbeatMs: 200 });
    const { discord, events, states } = wired;
    const hear = discord.faults.silence();
    await until(() => expect(states.at(-1)).toMatchObject({ state: "reconnecting" }));
    hear();
    discord.say(discord.ada, discord.dm(discord.ada), "hello?");
    await until(() => expect(texts(events)).toEqual(["hello?"]));
    await until(() => expect(states.at(-1)).toMatchObject({ state: "connected" }));
  }, 60_000);

  it.each([
    [4004, "token"],
    [4010, "4010"],
    [4011, "too many servers"],
    [4013, "intents"],
  ])("F-59 closed with %i is misconfigured, with a sentence, and ends nothing else", async (code, words) => {
    await using wired = await wire({ start: false });
    await using other = await wire();
    wired.discord.faults.refuseIdentify(code);
    await wired.start();
    expect(wired.states.at(-1)).toMatchObject({ state: "misconfigured", detail: expect.stringContaining(words) });
    expect(await wired.adapter.post({ channel: wired.discord.general }, says("still sends"), "k")).toMatchObject(
      delivered,
    );
    other.discord.say(other.discord.ada, other.discord.general, "fine");
    await until(() => expect(texts(other.events)).toEqual(["fine"]));
  });

  it("F-59 closed for good in the middle of work is told, too", async () => {
    await using wired = await wire();
    wired.discord.faults.closeGateway(4004);
    await until(() => expect(wired.states.at(-1)).toMatchObject({ state: "misconfigured" }));
  });

  it("F-59 does without the message content where Discord refuses it, and says what that limits", async () => {
    await using wired = await wire({ start: false });
    const { discord, events, states } = wired;
    discord.faults.refuseIdentify(4014);
    await wired.start();
    expect(states.at(-1)).toMatchObject({ state: "connected", detail: expect.stringContaining("Message Content") });
    const [first, second] = discord.gateway.identifies.map(({ intents }) => intents & (1 << 15));
    expect([first !== 0, second]).toEqual([true, 0]);
    mention(discord, "can you hear me?");
    await until(() => expect(texts(events)).toEqual(["can you hear me?"]));
  });

  it("without the message content hears its name and direct messages, and nothing else", async () => {
    await using wired = await wire({ messageContentIntent: false });
    const { discord, events } = wired;
    expect(discord.gateway.identifies).toHaveLength(1);
    discord.say(discord.ada, discord.general, "not for us");
    mention(discord, "for us");
    await until(() => expect(texts(events)).toEqual(["for us"]));
    discord.say(discord.ada, discord.dm(discord.ada), "direct");
    await until(() => expect(texts(events)).toEqual(["for us", "direct"]));
  });

  it("is made as soon as Discord can be reached, and stopping does not wait for it", async () => {
    await using wired = await wire({ start: false });
    const { discord, events, states } = wired;
    await discord.faults.refuseConnections();
    await wired.start();
    expect(states.at(-1)).toMatchObject({ state: "reconnecting", detail: expect.stringContaining(discord.url) });
    await discord.faults.acceptConnections();
    await discord.waitFor(() => discord.gateway.ready, 20_000);
    discord.say(discord.ada, discord.dm(discord.ada), "there you are");
    await until(() => expect(texts(events)).toEqual(["there you are"]));
    await discord.faults.refuseConnections();
    const before = Date.now();
    await wired.adapter.stop();
    expect(Date.now() - before).toBeLessThan(5000);
    await discord.faults.acceptConnections();
  }, 30_000);
});

describe("catching up with Discord", () => {
  it("leaves out places that are gone or closed, and repeats what only failed", async () => {
    await using wired = await wire({ start: false });
    const { discord, events } = wired;
    const [direct, ops, secret] = [discord.dm(discord.ada), discord.channel("ops"), discord.channel("secret")];
    for (const channel of [direct, ops, secret]) discord.say(discord.ada, channel, `in ${channel}`);
    discord.deleteChannel(ops);
    discord.forbid(secret, "ViewChannel");
    discord.faults.serverError("GET /channels/:channel/messages", { only: direct, times: 2 });
    wired.known = [direct, ops, secret].map((channel) => ({
      channel,
      kind: "channel",
      threads: ["1"],
      since: ago(60_000),
    }));
    await wired.start();
    await until(() => expect(texts(events)).toEqual([`in ${direct}`]));
  });

  it("fetches more than one page, in order, and no more than is sensible", async () => {
    await using wired = await wire({ start: false });
    const { discord, events } = wired;
    const direct = discord.dm(discord.ada);
    for (let n = 0; n < 620; n += 1) discord.say(discord.ada, direct, `m${n}`);
    wired.known = [{ channel: direct, kind: "dm", threads: [], since: ago(60_000) }];
    await wired.start();
    await until(() => expect(events).toHaveLength(500));
    discord.say(discord.ada, direct, "live");
    await until(() => expect(texts(events).at(-1)).toBe("live"));
    expect(texts(events)).toEqual([...Array.from({ length: 500 }, (_, n) => `m${n}`), "live"]);
  });

  it("F-22 of one place keeps no other one waiting, and no press", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter, events } = wired;
    const direct = discord.dm(discord.ada);
    const button = { label: "Stop", token: "stop" };
    const sent = await adapter.post({ channel: direct }, says("working", { buttons: [[button]] }), "k");
    const release = discord.faults.hold("GET /channels/:channel/messages", { only: direct });
    wired.known = [{ channel: direct, kind: "dm", threads: [], since: ago(60_000) }];
    await wired.start();
    discord.say(discord.ada, direct, "waits");
    discord.say(discord.ada, discord.general, "does not");
    discord.press(discord.ada, sent.outcome === "delivered" ? sent.messageId : "", "Stop");
    await until(() => expect(events).toHaveLength(2));
    expect(texts(events)).toEqual(["does not"]);
    release();
    await until(() => expect(texts(events)).toEqual(["does not", "waits"]));
  });
});

describe("looking for a message of ours on Discord", () => {
  it("is tried again where Discord fails, and given up where we may not read", async () => {
    await using wired = await wire();
    const { discord, adapter } = wired;
    const [direct, secret] = [discord.dm(discord.ada), discord.channel("secret")];
    const stop = { label: "Stop", token: "stop" };
    await adapter.post({ channel: direct }, says("working", { buttons: [[stop]] }), "k");
    const remove = (channel: string) => adapter.removeByButton?.({ channel }, (token) => token === stop.token);
    discord.faults.serverError("GET /channels/:channel/messages");
    expect(await remove(direct)).not.toMatchObject({ outcome: "delivered" });
    expect(discord.messages(direct)).toHaveLength(1);
    expect(await remove(direct)).toMatchObject({ outcome: "delivered" });
    expect(discord.messages(direct)).toEqual([]);
    discord.forbid(secret, "ViewChannel");
    expect(await remove(secret)).toMatchObject({ outcome: "delivered" });
  });
});

describe("sending to a Discord that does not want", () => {
  it("waits out a short rate limit, and tells a long one", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    discord.faults.rateLimit(create, { retryAfter: 0.05 });
    expect(await adapter.post({ channel: discord.general }, says("soon"), "k1")).toMatchObject(delivered);
    discord.faults.rateLimit(create, { retryAfter: 30 });
    const receipt = await adapter.post({ channel: discord.general }, says("later"), "k2");
    expect(receipt).toMatchObject({ outcome: "failed", error: { kind: "rate_limited" } });
    expect(receipt.outcome === "failed" && receipt.error.retryAfterMs).toBeGreaterThanOrEqual(30_000);
  });

  it("F-22 tells a whole channel's rate limit at once, while others are served", async () => {
    await using wired = await wire({ start: false, rateLimits: true });
    const { discord, adapter } = wired;
    const receipts = [];
    for (let n = 0; n < 8; n += 1)
      receipts.push(await adapter.post({ channel: discord.general }, says(`m${n}`), `k${n}`));
    expect(receipts.filter(({ outcome }) => outcome === "delivered")).toHaveLength(5);
    expect(receipts.at(-1)).toMatchObject({ outcome: "failed", error: { kind: "rate_limited" } });
    expect(discord.messages(discord.general)).toHaveLength(5);
    expect(await adapter.post({ channel: discord.channel("ops") }, says("fine"), "other")).toMatchObject(delivered);
    // Known limits are kept without asking: no 429 was provoked.
    expect(discord.calls(create).filter(({ status }) => status === 429)).toEqual([]);
  });

  it("F-35 does not know what became of a post whose answer was lost, and sends it again safely", async () => {
    await using wired = await wire({ start: false, timing: { requestMs: 300 } });
    const { discord, adapter } = wired;
    discord.faults.slow(create, 2000);
    expect(await adapter.post({ channel: discord.general }, says("slow"), "k1")).toMatchObject({ outcome: "unknown" });
    discord.faults.serverError(create);
    expect(await adapter.post({ channel: discord.general }, says("fails"), "k2")).toMatchObject({ outcome: "unknown" });
    for (const [text, key] of [
      ["slow", "k1"],
      ["fails", "k2"],
    ] as const) {
      expect(await adapter.post({ channel: discord.general }, says(text), key, true)).toMatchObject(delivered);
    }
    expect(discord.messages(discord.general).map(({ text }) => text)).toEqual(["slow", "fails"]);
  });

  it("F-35 finds an earlier copy also when Discord forgot its key", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    discord.faults.loseResponseAfterEffect(create);
    await adapter.post({ channel: discord.general }, says("once"), "k1");
    discord.passTime(60 * 60_000);
    expect(await adapter.post({ channel: discord.general }, says("once"), "k1", true)).toMatchObject(delivered);
    expect(discord.messages(discord.general)).toHaveLength(1);
  });

  it("knows that nothing was sent where only the way there failed", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const thread = mention(discord, "hello");
    await until(() => expect(events).toHaveLength(1));
    discord.faults.serverError("POST /channels/:channel/messages/:message/threads");
    const receipt = await adapter.post({ channel: discord.general, thread }, says("hi"), "k1");
    expect(receipt).toMatchObject({ outcome: "failed", error: { kind: "unavailable" } });
    await discord.faults.refuseConnections();
    // The open connection breaks with whatever is on it.
    await adapter.post({ channel: discord.general }, says("hi"), "k2");
    expect(await adapter.post({ channel: discord.general }, says("hi"), "k2")).toMatchObject({
      outcome: "failed",
      error: { kind: "unavailable" },
    });
    await discord.faults.acceptConnections();
  });

  it("tells missing permissions, and asks no second time", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    discord.forbid(discord.general, "SendMessages");
    expect(await adapter.post({ channel: discord.general }, says("hi"), "k1")).toMatchObject({
      outcome: "failed",
      error: { kind: "refused" },
    });
    expect(discord.calls(create)).toHaveLength(1);
    const ops = discord.channel("ops");
    discord.deleteChannel(ops);
    expect(await adapter.post({ channel: ops }, says("hi"), "k2")).toMatchObject({
      outcome: "failed",
      error: { kind: "gone" },
    });
  });

  it("stops asking when its token was revoked, and asks again after a while", async () => {
    await using wired = await wire({ start: false, timing: { refusedMs: 1500 } });
    const { discord, adapter } = wired;
    discord.faults.unauthorize();
    for (const key of ["k1", "k2", "k3"]) {
      expect(await adapter.post({ channel: discord.general }, says("hi"), key)).toMatchObject({
        outcome: "failed",
        error: { kind: "refused" },
      });
    }
    expect(discord.calls(create)).toHaveLength(1);
    discord.faults.authorize();
    await vi.waitFor(
      async () => expect(await adapter.post({ channel: discord.general }, says("hi"), "k4")).toMatchObject(delivered),
      { timeout: 10_000, interval: 100 },
    );
  });

  it("F-66 shows its token nowhere", async () => {
    await using wired = await wire();
    const { discord, adapter, warnings, states } = wired;
    discord.faults.reject(create, 400, 50035, `Bad token ${discord.token}`);
    const receipt = await adapter.post({ channel: discord.general }, says("hi"), "k1");
    discord.faults.reject("GET /channels/:channel/webhooks", 403, 50013, `No ${discord.token}`);
    await adapter.post({ channel: discord.general }, says("hi", { persona: { name: "Milo" } }), "k2");
    expect(warnings).not.toEqual([]);
    expect(JSON.stringify([receipt, warnings, states])).not.toContain(discord.token);
  });
});
