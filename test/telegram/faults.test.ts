import { describe, expect, it } from "vitest";
import { createTelegramAdapter } from "../../adapters/telegram/index.ts";
import { ConnectionError } from "../../src/chat/index.ts";
import { createTelegram } from "../fakes/telegram/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";
import { type Wired, wire } from "./harness.ts";

const dm = { channel: "7" };
const post = { text: "an **answer**", notify: true };

/** Nothing of the bot's token in anything the adapter said. */
function expectNoToken({ telegram, states, warnings }: Wired, ...more: unknown[]): void {
  expect(JSON.stringify([states, warnings, more])).not.toContain(telegram.token);
}

const eventually = <T>(probe: () => T) => expect.poll(probe, { timeout: 15_000 });

const quiet = adapterDeps();

describe("when receiving fails", () => {
  it("F-02 keeps an update at Telegram while it cannot be stored, and everything behind it", async () => {
    let broken = true;
    let attempts = 0;
    await using wired = await wire({
      before: async () => {
        attempts += 1;
        if (broken) throw new Error("the database is away");
      },
    });
    const { telegram, events } = wired;
    telegram.say(telegram.ada, 7, "first");
    telegram.say(telegram.ada, 7, "second");
    await eventually(() => attempts).toBeGreaterThan(2);
    expect(telegram.pendingUpdates()).toHaveLength(2);
    broken = false;
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    expect(events.map((event) => event.kind === "message" && event.text)).toEqual(["first", "second"]);
  });

  it("F-02 does not confirm, on stop, what was never stored", async () => {
    let attempts = 0;
    await using wired = await wire({
      before: async (event) => {
        if (event.kind === "message" && event.text !== "lost?") return;
        attempts += 1;
        throw new Error("the database is away");
      },
    });
    const { telegram, adapter, events } = wired;
    telegram.say(telegram.ada, 7, "stored");
    telegram.say(telegram.ada, 7, "lost?");
    telegram.say(telegram.ada, 7, "behind it");
    await eventually(() => attempts).toBeGreaterThan(0);
    await adapter.stop();
    expect(telegram.pendingUpdates().map((update) => update.message?.text)).toEqual(["lost?", "behind it"]);
    expect(events).toMatchObject([{ text: "stored" }]);
  });

  it("F-22 does not hold up one chat's word behind another chat's slow one, and keeps the order within a chat", async () => {
    const slow = Promise.withResolvers<void>();
    await using wired = await wire({ start: false });
    const { telegram, adapter, events } = wired;
    const ben = telegram.person("Ben");
    telegram.say(telegram.ada, 7, "slow");
    telegram.say(telegram.ada, 7, "after slow");
    telegram.say(ben, ben, "/stop");
    await adapter.start(async (event) => {
      if (event.kind === "message" && event.text === "slow") await slow.promise;
      events.push(event);
    });
    await eventually(() => events).toMatchObject([{ kind: "command", name: "stop" }]);
    expect(telegram.pendingUpdates()).toHaveLength(3);
    slow.resolve();
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    expect(events).toMatchObject([{ name: "stop" }, { text: "slow" }, { text: "after slow" }]);
  });

  it("F-03 receives what was written while it was down", async () => {
    await using wired = await wire();
    const { telegram, adapter, events } = wired;
    await adapter.stop();
    telegram.say(telegram.ada, 7, "anybody?");
    await adapter.start(async (event) => void events.push(event));
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    expect(events).toMatchObject([{ text: "anybody?" }]);
  });

  it("F-61 says that another program polls, and takes over when it is gone", async () => {
    await using wired = await wire();
    const { telegram, states, events } = wired;
    await telegram.waitFor(() => telegram.calls("getUpdates").length >= 2);
    telegram.faults.reject("getUpdates", 409, "Conflict: terminated by other getUpdates request", { times: 2 });
    telegram.say(telegram.ada, 7, "wakes the poll");
    await telegram.waitFor(() => telegram.calls("getUpdates").filter((call) => call.status === 409).length === 2);
    telegram.say(telegram.ada, 7, "later");
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0 && events.length === 2);
    expect(states).toContainEqual({ state: "reconnecting", detail: expect.stringContaining("Another program") });
    expect(states.at(-1)).toEqual({ state: "connected", detail: undefined });
  });

  it("loses to a real second poller without dying", async () => {
    await using wired = await wire();
    const { telegram, states } = wired;
    await telegram.waitFor(() => telegram.calls("getUpdates").length >= 2);
    await fetch(`${telegram.url}/bot${telegram.token}/getUpdates?timeout=0`);
    await eventually(() => states.map(({ state }) => state)).toContain("reconnecting");
    telegram.say(telegram.ada, 7, "hello");
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
  });

  it("F-60 comes back after the network was away, and says both", async () => {
    await using wired = await wire();
    const { telegram, states, events } = wired;
    await telegram.waitFor(() => telegram.calls("getUpdates").length >= 2);
    await telegram.faults.refuseConnections();
    await eventually(() => states.at(-1)).toMatchObject({
      state: "reconnecting",
      detail: expect.stringContaining("can't reach"),
    });
    telegram.say(telegram.ada, 7, "meanwhile");
    await telegram.faults.acceptConnections();
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    expect(events).toMatchObject([{ text: "meanwhile" }]);
    expect(states.at(-1)?.state).toBe("connected");
    expectNoToken(wired);
  });

  it("F-59 is misconfigured once the token is revoked, and stops in good order", async () => {
    await using wired = await wire();
    const { telegram, states, adapter } = wired;
    await telegram.waitFor(() => telegram.calls("getUpdates").length >= 2);
    telegram.faults.unauthorize();
    telegram.say(telegram.ada, 7, "wakes the poll");
    await eventually(() => states.at(-1)).toMatchObject({
      state: "misconfigured",
      detail: expect.stringContaining("@BotFather"),
    });
    expect(await adapter.post(dm, post, "k")).toMatchObject({ outcome: "failed", error: { kind: "refused" } });
    await adapter.stop();
    expect(states.at(-1)?.state).toBe("stopped");
    expectNoToken(wired);
  });

  it("waits as long as Telegram asks for before it polls again", async () => {
    await using wired = await wire({ start: false });
    const { telegram, adapter, states, events } = wired;
    telegram.faults.rateLimit("getUpdates", { retryAfter: 0 });
    telegram.say(telegram.ada, 7, "hello");
    await adapter.start(async (event) => void events.push(event));
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    expect(states.map(({ state }) => state)).toContain("rate_limited");
  });

  it("starts receiving as soon as Telegram can be reached, when it could not at the start", async () => {
    await using telegram = await createTelegram();
    const adapter = createTelegramAdapter(
      { token: telegram.token, apiRoot: telegram.url, timing: { retryMs: 5, retryMaxMs: 20 } },
      quiet,
    );
    await telegram.faults.refuseConnections();
    const events: string[] = [];
    await adapter.start(async (event) => void events.push(event.kind));
    telegram.say(telegram.ada, 7, "early");
    await telegram.faults.acceptConnections();
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    expect(events).toEqual(["message"]);
    await adapter.stop();
  });

  it("stops while it cannot even start", async () => {
    await using telegram = await createTelegram();
    await telegram.faults.refuseConnections();
    const adapter = createTelegramAdapter({ token: telegram.token, apiRoot: telegram.url }, quiet);
    await adapter.start(async () => undefined);
    await adapter.stop();
  });
});

describe("when connecting fails", () => {
  it.each([
    ["a wrong token", "42:wrong", "invalid_token"],
    ["a malformed token", "nonsense", "invalid_token"],
  ])("says what to do about %s", async (_name, token, kind) => {
    await using telegram = await createTelegram();
    const error = await createTelegramAdapter({ token, apiRoot: telegram.url }, quiet)
      .connect()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ kind, message: expect.stringContaining("@BotFather") });
    expect(String(error)).not.toContain(token);
  });

  it("says that Telegram cannot be reached", async () => {
    await using telegram = await createTelegram();
    await telegram.faults.refuseConnections();
    const connecting = createTelegramAdapter({ token: telegram.token, apiRoot: telegram.url }, quiet).connect();
    await expect(connecting).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("notes what privacy mode hides, and only where it is on", async () => {
    await using telegram = await createTelegram({ botName: "milo_bot" });
    await using open = await createTelegram({ canReadAllGroupMessages: true });
    const account = await createTelegramAdapter(
      { token: telegram.token, apiRoot: `${telegram.url}/` },
      quiet,
    ).connect();
    expect(account).toEqual({
      botId: "42",
      name: "Shipmate",
      link: "https://t.me/milo_bot",
      notes: [expect.stringContaining("/setprivacy")],
    });
    expect((await createTelegramAdapter({ token: open.token, apiRoot: open.url }, quiet).connect()).notes).toEqual([]);
  });
});

describe("when sending fails", () => {
  async function wireWithAda(requestSeconds = 20): Promise<Wired> {
    const wired = await wire({ start: false, timing: { requestSeconds } });
    wired.telegram.say(wired.telegram.ada, 7, "hello");
    return wired;
  }

  it("F-42 sends as plain text when Telegram cannot read the HTML", async () => {
    await using wired = await wireWithAda();
    const { telegram, adapter } = wired;
    telegram.faults.reject("sendMessage", 400, "Bad Request: can't parse entities: Unsupported start tag");
    expect(await adapter.post(dm, { ...post, persona: { name: "Milo" } }, "k")).toMatchObject({ outcome: "delivered" });
    expect(telegram.chat(7).fromBot).toMatchObject([{ text: "Milo\nan answer", entities: [] }]);
  });

  it("F-42 tries plain text once, not for ever", async () => {
    await using wired = await wireWithAda();
    wired.telegram.faults.reject("sendMessage", 400, "Bad Request: can't parse entities: no", { times: 5 });
    expect(await wired.adapter.post(dm, post, "k")).toMatchObject({ error: { kind: "rejected" } });
    expect(wired.telegram.calls("sendMessage")).toHaveLength(2);
  });

  it("F-35 does not know after a response was lost, and does not send again", async () => {
    await using wired = await wireWithAda();
    const { telegram, adapter } = wired;
    telegram.faults.loseResponseAfterEffect("sendMessage");
    const receipt = await adapter.post(dm, post, "k");
    expect(receipt).toMatchObject({ outcome: "unknown" });
    expect(telegram.chat(7).fromBot).toHaveLength(1);
    expect(telegram.calls("sendMessage")).toHaveLength(1);
    expectNoToken(wired, receipt);
  });

  it("F-35 does not know after a server error or a timeout either", async () => {
    await using wired = await wireWithAda(1);
    const { telegram, adapter } = wired;
    telegram.faults.serverError("sendMessage", { status: 502 });
    expect(await adapter.post(dm, post, "k")).toMatchObject({ outcome: "unknown" });
    const release = telegram.faults.hold("sendMessage");
    const receipt = await adapter.post(dm, post, "k");
    expect(receipt).toMatchObject({ outcome: "unknown", detail: expect.stringContaining("timed out") });
    release();
    expectNoToken(wired, receipt);
  });

  it("knows that nothing was sent when nobody listened", async () => {
    await using wired = await wireWithAda();
    const { telegram, adapter } = wired;
    await telegram.faults.refuseConnections();
    // The first try may still find the broken connection of before, which tells nothing.
    await eventually(() => adapter.post(dm, post, "k")).toMatchObject({
      outcome: "failed",
      error: { kind: "unavailable" },
    });
    await telegram.faults.acceptConnections();
    expect(telegram.chat(7).fromBot).toEqual([]);
  });

  it("F-22 passes on how long to wait", async () => {
    await using wired = await wireWithAda();
    wired.telegram.faults.rateLimit("sendMessage", { retryAfter: 137 });
    expect(await wired.adapter.post(dm, post, "k")).toMatchObject({
      outcome: "failed",
      error: { kind: "rate_limited", retryAfterMs: 137_000 },
    });
    expect(wired.telegram.chat(7).fromBot).toEqual([]);
  });

  it.each([
    ["gone", 403, "Forbidden: bot was blocked by the user"],
    ["gone", 400, "Bad Request: chat not found"],
    ["gone", 400, "Bad Request: TOPIC_CLOSED"],
    ["gone", 400, "Bad Request: group chat was upgraded to a supergroup chat"],
    ["refused", 401, "Unauthorized"],
    ["refused", 400, "Bad Request: not enough rights to send text messages to the chat"],
    ["rejected", 400, "Bad Request: message is too long"],
    ["rejected", 413, "Request Entity Too Large"],
  ])("calls it %s when Telegram says %i %s", async (kind, code, description) => {
    await using wired = await wireWithAda();
    wired.telegram.faults.reject("sendMessage", code, description);
    expect(await wired.adapter.post(dm, post, "k")).toMatchObject({
      outcome: "failed",
      error: { kind, detail: description },
    });
  });

  it("finds a blocked chat, a strange chat and a left group gone", async () => {
    await using wired = await wireWithAda();
    const { telegram, adapter } = wired;
    const group = telegram.createGroup();
    telegram.addToGroup(telegram.ada, group);
    expect(await adapter.draft?.({ channel: String(group) }, 1, "x")).toMatchObject({ error: { kind: "rejected" } });
    telegram.removeFromGroup(telegram.ada, group);
    telegram.block(telegram.ada);
    for (const channel of ["7", String(group), "12345", "no number"]) {
      expect(await adapter.post({ channel }, post, "k")).toMatchObject({ outcome: "failed", error: { kind: "gone" } });
    }
  });

  it("F-45 brings what was meant for a group to the supergroup it became", async () => {
    await using wired = await wireWithAda();
    const { telegram, adapter } = wired;
    const basic = telegram.createGroup({ type: "group" });
    telegram.addToGroup(telegram.ada, basic);
    const moved = telegram.migrate(telegram.ada, basic);
    for (const channel of [String(basic), String(basic), String(moved)]) {
      expect(await adapter.post({ channel }, post, "k")).toMatchObject({ outcome: "delivered" });
    }
    expect(telegram.chat(moved).fromBot).toHaveLength(3);
  });
});

describe("the command menu", () => {
  const commands = [
    { name: "new", description: "Fresh conversation", menu: true, fields: [] },
    { name: "stop", description: "Stop", menu: true, fields: [] },
    { name: "why", description: "Works all the same", menu: false, fields: [] },
  ];

  it("F-50 is set when it changed, and not before the first messages were handled", async () => {
    const kept = new Map<string, string>();
    {
      await using wired = await wire({ commands, kept });
      const { telegram } = wired;
      await telegram.waitFor(() => telegram.commands());
      expect(telegram.commands()).toEqual([
        { command: "new", description: "Fresh conversation" },
        { command: "stop", description: "Stop" },
      ]);
      const methods = telegram.calls().map((call) => call.method);
      expect(methods.indexOf("setMyCommands")).toBeGreaterThan(methods.indexOf("getUpdates"));
      await eventually(() => kept.size).toBe(1);
    }
    {
      await using wired = await wire({ commands, kept });
      wired.telegram.say(wired.telegram.ada, 7, "hello");
      await wired.telegram.waitFor(() => wired.telegram.pendingUpdates().length === 0);
      expect(wired.telegram.calls("setMyCommands")).toEqual([]);
    }
    await using wired = await wire({ commands: commands.slice(1), kept });
    await wired.telegram.waitFor(() => wired.telegram.commands()?.length === 1);
  });

  it("shows the first twelve of many, and receives on when the menu cannot be set", async () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ name: `c${n}`, description: "x", menu: true, fields: [] }));
    await using wired = await wire({ commands: many, start: false });
    const { telegram, adapter, kept } = wired;
    telegram.faults.rateLimit("setMyCommands", { retryAfter: 600 });
    await adapter.start(async () => undefined);
    telegram.say(telegram.ada, 7, "hello");
    await telegram.waitFor(
      () => telegram.calls("setMyCommands").length === 1 && telegram.pendingUpdates().length === 0,
    );
    expect(telegram.calls("setMyCommands")[0]?.payload.commands).toHaveLength(12);
    expect(kept.size).toBe(0);
  });
});
