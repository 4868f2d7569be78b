import { describe, expect, it } from "vitest";
import { eventually, expectNoToken } from "./fault-scene.ts";
import { wire } from "./harness.ts";

const post = { text: "an **answer**", notify: true };

describe("when sending fails", () => {
  it("F-35 does not know after a response was lost or the server failed, and sends nothing twice", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    slack.faults.loseResponseAfterEffect("chat.postMessage");
    const lost = await adapter.post({ channel: dm }, post, "k");
    expect(lost).toMatchObject({ outcome: "unknown" });
    slack.faults.serverError("chat.postMessage", { status: 503 });
    expect(await adapter.post({ channel: dm }, post, "k2")).toMatchObject({ outcome: "unknown" });
    expect(slack.fromBot(dm)).toHaveLength(1);
    expect(slack.calls("chat.postMessage")).toHaveLength(2);
    expectNoToken(wired, lost);
  });

  it("F-35 finds the post whose response was lost, in a thread and beyond a page, instead of sending it again", async () => {
    await using wired = await wire({ start: false });
    const { slack, adapter } = wired;
    const root = slack.say(slack.ada, slack.general, "root");
    const there = { channel: slack.general, thread: root.ts };
    slack.faults.loseResponseAfterEffect("chat.postMessage", { times: 2 });
    await adapter.post(there, post, "in-thread");
    await adapter.post({ channel: slack.general }, post, "in-channel");
    for (let n = 0; n < 210; n += 1) {
      slack.say(slack.ada, slack.general, `talk ${n}`, { thread: n % 2 === 0 ? root.ts : undefined });
    }
    const [inThread, inChannel] = slack.fromBot(slack.general).map(({ ts }) => ts);
    expect(await adapter.post(there, post, "in-thread", true)).toEqual({ outcome: "delivered", messageId: inThread });
    expect(await adapter.post({ channel: slack.general }, post, "in-channel", true)).toEqual({
      outcome: "delivered",
      messageId: inChannel,
    });
    expect(slack.fromBot(slack.general)).toHaveLength(2);
  });

  it("F-35 sends nothing again while it cannot look", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    slack.faults.rateLimit("conversations.history", { retryAfter: 7 });
    expect(await adapter.post({ channel: dm }, post, "k", true)).toMatchObject({
      error: { kind: "rate_limited", retryAfterMs: 7000 },
    });
    expect(slack.fromBot(dm)).toEqual([]);
  });

  it("knows that nothing was sent when nobody listened", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    await slack.faults.refuseConnections();
    // The first try may still find the broken connection of before, which tells nothing.
    await eventually(() => adapter.post({ channel: dm }, post, "k")).toMatchObject({
      outcome: "failed",
      error: { kind: "unavailable" },
    });
    await slack.faults.acceptConnections();
  });

  it.each([
    ["channel_not_found", "gone"],
    ["not_in_channel", "gone"],
    ["is_archived", "gone"],
    ["invalid_auth", "refused"],
    ["missing_scope", "refused"],
    ["restricted_action", "refused"],
    ["msg_too_long", "rejected"],
    ["no_text", "rejected"],
    ["ratelimited", "rate_limited"],
    ["service_unavailable", "unavailable"],
  ])("%s is %s", async (code, kind) => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    slack.faults.reject("chat.postMessage", code, { times: 5 });
    expect(await adapter.post({ channel: dm }, post, "k")).toMatchObject({ outcome: "failed", error: { kind } });
  });

  it("F-59 a revoked token refuses every kind of sending, without a word of it", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    slack.faults.invalidAuth("token_revoked");
    const receipts = await Promise.all([
      adapter.post({ channel: dm }, post, "k"),
      adapter.edit?.({ channel: dm }, "1.1", post),
      adapter.remove?.({ channel: dm }, "1.1"),
      adapter.react?.({ channel: dm }, "1.1", "done"),
      adapter.status?.({ channel: dm, thread: "1.1" }, "is working"),
      adapter.home?.(slack.ada, [post]),
      adapter.suggest?.({ channel: dm }, [{ title: "a", text: "b" }]),
    ]);
    for (const receipt of receipts) expect(receipt).toMatchObject({ outcome: "failed", error: { kind: "refused" } });
    expectNoToken(wired, receipts);
  });
});
