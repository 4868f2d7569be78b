import { describe, expect, it } from "vitest";
import type { KnownPlace } from "../../src/chat/index.ts";
import { eventually, expectNoToken, openSockets, texts } from "./fault-scene.ts";
import { wire } from "./harness.ts";

const post = { text: "an **answer**", notify: true };

describe("when receiving fails", () => {
  it("F-02 Slack hears of an event only after it is stored", async () => {
    const gate = Promise.withResolvers<void>();
    let offered = 0;
    await using wired = await wire({
      before: async () => {
        offered += 1;
        await gate.promise;
      },
    });
    const { slack, dm } = wired;
    slack.say(slack.ada, dm, "hello");
    await eventually(() => offered).toBe(1);
    expect(slack.envelopes("message").map(({ ackedAfterMs }) => ackedAfterMs)).toEqual([undefined]);
    gate.resolve();
    await slack.waitFor(() => slack.envelopes("message")[0]?.ackedAfterMs !== undefined);
    expect(texts(wired)).toEqual(["hello"]);
  });

  it("F-01 what Slack sends again while it is being stored is stored once, and both are acknowledged", async () => {
    let broken = true;
    await using wired = await wire({
      slack: { timing: { ackMs: 200, retryMs: [5, 60_000, 60_000] } },
      before: async () => {
        if (broken) throw new Error("the database is away");
      },
    });
    const { slack, dm } = wired;
    slack.say(slack.ada, dm, "hello");
    await slack.waitFor(() => slack.envelopes("message").some(({ attempt }) => attempt > 0));
    broken = false;
    await slack.waitFor(() => slack.envelopes("message").at(-1)?.ackedAfterMs !== undefined);
    slack.faults.duplicate({ channel: dm, ts: slack.messages(dm)[0]?.ts ?? "" });
    await slack.waitFor(() => slack.envelopes("message").length === 3 && slack.envelopes("message")[2]?.ackedAfterMs);
    expect(texts(wired)).toEqual(["hello"]);
  });

  it("F-02 what was never stored is not acknowledged on stop, and what is being stored is waited for", async () => {
    const gate = Promise.withResolvers<void>();
    let offered = 0;
    await using wired = await wire({
      slack: { timing: { ackMs: 60_000 } },
      before: async (event) => {
        offered += 1;
        if (event.kind === "message" && event.text === "never") throw new Error("the database is away");
        await gate.promise;
      },
    });
    const { slack, dm, adapter } = wired;
    slack.say(slack.ada, dm, "being stored");
    slack.say(slack.ada, slack.general, "never");
    await eventually(() => offered).toBeGreaterThan(1);
    const stopped = adapter.stop();
    gate.resolve();
    await stopped;
    await slack.waitFor(() => openSockets(slack).length === 0);
    const acked = Object.fromEntries(
      slack
        .envelopes("message")
        .map(({ payload, ackedAfterMs }) => [JSON.stringify(payload).includes("never"), ackedAfterMs !== undefined]),
    );
    expect(acked).toEqual({ true: false, false: true });
    expect(texts(wired)).toEqual(["being stored"]);
  });

  it("F-22 one place that cannot be stored holds nobody else up", async () => {
    await using wired = await wire({
      before: async ({ place }) => {
        if (place.kind === "channel") throw new Error("this row is locked");
      },
    });
    const { slack, dm } = wired;
    slack.say(slack.ada, slack.general, "stuck");
    slack.say(slack.ada, dm, "free");
    await eventually(() => texts(wired)).toEqual(["free"]);
  });

  it("messages that Slack sends in the wrong order are told in the right one", async () => {
    await using wired = await wire({ clock: { settleMs: 100 } });
    const { slack, dm } = wired;
    slack.faults.outOfOrder(3);
    for (const text of ["one", "two", "three"]) slack.say(slack.ada, dm, text);
    await eventually(() => texts(wired)).toEqual(["one", "two", "three"]);
  });

  it("is connected once both sockets are open", async () => {
    await using wired = await wire();
    const { slack, states } = wired;
    expect(states.at(-1)?.state).toBe("connected");
    expect(openSockets(slack)).toHaveLength(2);
  });

  it("F-60 a refresh of one socket after the other leaves no gap, and nobody is told", async () => {
    await using wired = await wire();
    const { slack, dm, states } = wired;
    const before = states.length;
    for (let n = 0; n < 6; n += 1) {
      const [first] = openSockets(slack);
      if (first) slack.faults.refresh({ socket: first.id });
      slack.say(slack.ada, dm, `line ${n}`);
      await slack.waitFor(() => openSockets(slack).length === 2);
    }
    await eventually(() => texts(wired)).toEqual(Array.from({ length: 6 }, (_, n) => `line ${n}`));
    expect(slack.lost()).toEqual([]);
    expect(states.slice(before)).toEqual([]);
  });

  it("F-60 both sockets break: it says so, comes back by itself, and says that, too", async () => {
    await using wired = await wire({ slack: { timing: { retryMs: [20, 20, 20] } } });
    const { slack, dm, states } = wired;
    const letThrough = slack.faults.pauseSockets();
    await eventually(() => states.at(-1)?.state).toBe("reconnecting");
    slack.say(slack.ada, dm, "meanwhile");
    letThrough();
    await eventually(() => states.at(-1)?.state).toBe("connected");
    slack.say(slack.ada, dm, "after");
    await eventually(() => texts(wired)).toContain("after");
    expectNoToken(wired);
  });

  it("F-60 sockets that went silent are replaced, though they look open", async () => {
    await using wired = await wire({ slack: { timing: { pingMs: 20 } }, clock: { silenceMs: 150 } });
    const { slack, dm } = wired;
    const before = slack.sockets().map(({ id }) => id);
    slack.faults.silence();
    await slack.waitFor(() => openSockets(slack).filter(({ id }) => !before.includes(id)).length === 2);
    slack.say(slack.ada, dm, "still there?");
    await eventually(() => texts(wired)).toEqual(["still there?"]);
  });

  it("a socket that is pinged is left alone", async () => {
    await using wired = await wire({ slack: { timing: { pingMs: 20 } }, clock: { silenceMs: 150 } });
    const { slack, dm, events } = wired;
    const before = slack.sockets().map(({ id }) => id);
    // Pings only, for several times as long as silence may last.
    const until = performance.now() + 600;
    await eventually(() => performance.now()).toBeGreaterThan(until);
    slack.say(slack.ada, dm, "hello");
    await eventually(() => events.length).toBe(1);
    expect(slack.sockets().map(({ id }) => id)).toEqual(before);
  });

  it.each(["invalid_auth", "token_revoked"] as const)(
    "F-59 %s in the middle is said with what to do, and mended without a restart",
    async (error) => {
      await using wired = await wire();
      const { slack, dm, states } = wired;
      slack.faults.invalidAuth(error);
      slack.faults.dropSockets();
      await eventually(() => states.at(-1)).toMatchObject({
        state: "misconfigured",
        detail: expect.stringContaining("api.slack.com/apps"),
      });
      slack.faults.authorize();
      await eventually(() => states.at(-1)?.state).toBe("connected");
      slack.say(slack.ada, dm, "hello");
      await eventually(() => texts(wired)).toEqual(["hello"]);
      expectNoToken(wired);
    },
  );

  it.each([
    ["is removed from the workspace", { type: "app_uninstalled" }],
    ["loses its token", { type: "tokens_revoked", tokens: { bot: ["U0SHIPMATE"] } }],
  ])("F-59 an app that %s is told apart from one that is fine", async (_what, event) => {
    await using wired = await wire();
    wired.slack.deliver({ ...event, event_ts: "1790000000.000100" });
    await eventually(() => wired.states.at(-1)).toMatchObject({
      state: "misconfigured",
      detail: expect.stringContaining("Install the app again"),
    });
  });

  it("F-59 a bot token that no longer speaks is said, though the sockets are open", async () => {
    await using wired = await wire();
    wired.slack.faults.reject("chat.postMessage", "token_revoked");
    await wired.adapter.post({ channel: wired.dm }, post, "k");
    expect(wired.states.at(-1)).toMatchObject({
      state: "misconfigured",
      detail: expect.stringContaining("no longer accepts"),
    });
  });

  it("a server error on opening a socket is tried again", async () => {
    await using wired = await wire();
    const { slack, states } = wired;
    slack.faults.serverError("apps.connections.open", { times: 4 });
    slack.faults.dropSockets();
    await eventually(() => states.at(-1)?.state).toBe("reconnecting");
    await eventually(() => states.at(-1)?.state).toBe("connected");
  });

  it("a rate limit on opening a socket is waited out", async () => {
    await using wired = await wire();
    const { slack, states } = wired;
    slack.faults.rateLimit("apps.connections.open", { retryAfter: 1, times: 2 });
    slack.faults.dropSockets();
    await eventually(() => states.map(({ state }) => state)).toContain("rate_limited");
    await eventually(() => states.at(-1)?.state).toBe("connected");
  });

  it("Socket Mode that is turned off is said with what to do", async () => {
    await using wired = await wire();
    const { slack, states } = wired;
    slack.faults.reject("apps.connections.open", "link_disabled", { times: 4 });
    slack.faults.dropSockets();
    await eventually(() => states).toContainEqual({
      state: "misconfigured",
      detail: expect.stringContaining("Socket Mode is off"),
    });
    await eventually(() => states.at(-1)?.state).toBe("connected");
  });

  it("begins to receive as soon as Slack can be reached, when it could not at the start", async () => {
    await using wired = await wire({ connect: false, start: false });
    const { slack, dm, adapter, stored } = wired;
    await slack.faults.refuseConnections();
    await adapter.start(stored);
    await slack.faults.acceptConnections();
    await slack.waitFor(() => openSockets(slack).length === 2);
    slack.say(slack.ada, dm, "early");
    await eventually(() => texts(wired)).toEqual(["early"]);
  });

  it("stops while it cannot even start, and starts again", async () => {
    await using wired = await wire({ connect: false, start: false });
    const { slack, dm, adapter, stored, states } = wired;
    await slack.faults.refuseConnections();
    await adapter.start(stored);
    await adapter.stop();
    expect(states.at(-1)?.state).toBe("stopped");
    await slack.faults.acceptConnections();
    await adapter.start(stored);
    slack.say(slack.ada, dm, "hello");
    await eventually(() => texts(wired)).toEqual(["hello"]);
  });
});

describe("what was missed", () => {
  const knowing = (places: Partial<KnownPlace>[]) => ({
    known: async () =>
      places.map(
        (place): KnownPlace => ({
          channel: "",
          kind: "channel",
          threads: [],
          since: new Date(Date.now() - 60_000),
          ...place,
        }),
      ),
  });

  it("F-03 is fetched page by page, with the threads that began meanwhile, in order", async () => {
    const places: Partial<KnownPlace>[] = [];
    await using wired = await wire({ start: false, deps: knowing(places) });
    const { slack, adapter, stored, events } = wired;
    places.push({ channel: slack.general });
    for (let n = 0; n < 230; n += 1) slack.say(slack.ada, slack.general, `line ${n}`);
    const root = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> look`);
    slack.say(slack.ada, slack.general, "and this", { thread: root.ts });
    slack.say(slack.ada, slack.general, "the end");
    await adapter.start(stored);
    await eventually(() => events.length).toBe(233);
    expect(texts(wired).slice(-3)).toEqual(["look", "and this", "the end"]);
    expect(events[231]).toMatchObject({ place: { thread: root.ts } });
    expect(texts(wired)[0]).toBe("line 0");
  });

  it("waits as long as Slack asks, and skips places that are lost", async () => {
    const places: Partial<KnownPlace>[] = [];
    await using wired = await wire({ start: false, deps: knowing(places) });
    const { slack, dm, adapter, stored, warnings } = wired;
    places.push({ channel: "C404" }, { channel: dm, kind: "dm", threads: ["1.000001"] });
    slack.say(slack.ada, dm, "anybody?");
    slack.faults.rateLimit("conversations.history", { retryAfter: 1, times: 1 });
    await adapter.start(stored);
    await eventually(() => texts(wired)).toEqual(["anybody?"]);
    expect(warnings).toEqual([]);
  });

  it("is left out with a warning when it cannot be had, and what is new arrives", async () => {
    const places: Partial<KnownPlace>[] = [];
    await using wired = await wire({ start: false, deps: knowing(places) });
    const { slack, dm, adapter, stored, warnings } = wired;
    places.push({ channel: dm, kind: "dm" });
    slack.faults.reject("conversations.history", "missing_scope", { times: 20 });
    await adapter.start(stored);
    slack.say(slack.ada, dm, "hello");
    await eventually(() => texts(wired)).toEqual(["hello"]);
    expect(warnings.join()).toContain("could not be fetched");
  });
});
