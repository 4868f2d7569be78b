import { describe, expect, it } from "vitest";
import { wire } from "./harness.ts";

const create = "POST /channels/:channel/threads";

describe("threads of our own on Discord", () => {
  it("are posts of their own in a forum, and made once although the answer was lost", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    const forum = discord.forum("incidents");
    discord.faults.loseResponseAfterEffect(create);
    expect(await adapter.openThread?.({ channel: forum }, "Open incidents", "k")).toMatchObject({ outcome: "unknown" });
    const again = await adapter.openThread?.({ channel: forum }, "Open incidents", "k", true);
    const thread = again?.outcome === "delivered" ? again.messageId : "";
    expect(discord.thread(thread)).toMatchObject({ parentId: forum, name: "Open incidents" });
    expect(discord.calls(create)).toHaveLength(1);
  });

  it("leave nothing behind where they may not be made", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    const open = (channel: string, key = "k") => adapter.openThread?.({ channel }, "Open incidents", key);
    const refused = { outcome: "failed", error: { kind: "rejected" } };
    discord.forbid(discord.general, "CreatePublicThreads");
    expect(await open(discord.general)).toMatchObject(refused);
    expect(discord.messages(discord.general)).toEqual([]);
    expect(await open(discord.dm(discord.ada))).toMatchObject(refused);
    discord.allow(discord.general, "CreatePublicThreads");
    expect(await open(discord.general, "k2")).toMatchObject({ outcome: "delivered" });
  });

  it("come out of the archive with the next post, and with another name", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    const made = await adapter.openThread?.({ channel: discord.general }, "Open incidents", "k");
    const thread = made?.outcome === "delivered" ? made.messageId : "";
    const there = { channel: discord.general, thread };
    discord.archiveThread(thread);
    await adapter.post(there, { text: "None today.", notify: true }, "k2");
    expect(discord.thread(thread)).toMatchObject({ archived: false });
    discord.archiveThread(thread);
    await adapter.openThread?.(there, "Outages", "k3");
    expect(discord.thread(thread)).toMatchObject({ archived: false, name: "Outages" });
  });
});
