import { describe, expect, it } from "vitest";
import { wire } from "./harness.ts";

describe("topics of our own in Telegram", () => {
  it("are refused for good where there are none, or where we may make none; a bad token is another matter", async () => {
    await using wired = await wire({ start: false });
    const { telegram, adapter } = wired;
    const [group, forum] = [telegram.createGroup(), telegram.createGroup({ forum: true })];
    telegram.addToGroup(telegram.ada, group, "administrator");
    telegram.addToGroup(telegram.ada, forum, "member");
    const refused = { outcome: "failed", error: { kind: "rejected" } };
    expect(await adapter.openThread?.({ channel: String(group) }, "Open incidents", "k")).toMatchObject(refused);
    expect(await adapter.openThread?.({ channel: String(forum) }, "Open incidents", "k")).toMatchObject(refused);
    telegram.faults.reject("createForumTopic", 401, "Unauthorized");
    expect(await adapter.openThread?.({ channel: String(forum) }, "Open incidents", "k")).toMatchObject({
      outcome: "failed",
      error: { kind: "refused" },
    });
  });
});
