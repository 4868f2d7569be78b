import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { PastMessage } from "../../src/chat/index.ts";
import { newId } from "../../src/shared/index.ts";
import { say } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  shop = await openWorkshop();
  life = await shop.start({ limits: { historyMs: 300 } });
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});
afterEach(async () => {
  delete shop.platform.adapter.history;
  await shop.db.deleteFrom("teammates").where("name", "=", "Penny").execute();
});

async function asked(room: Room, text: string, more: { platformMessageId?: string } = {}): Promise<string> {
  const answer = `Answer ${newId()}`;
  shop.model.enqueue([say(answer)]);
  await shop.say(life, room, shop.ada, text, more);
  await shop.shows(room, answer);
  return shop.model.requests.at(-1)?.lastUserText ?? "";
}

function past(messageId: string, authorName: string, text: string, more: Partial<PastMessage> = {}): PastMessage {
  return { messageId, authorName, authorKind: "person", text, sentAt: new Date(Date.now() - 60_000), ...more };
}

/** The platform tells this history, and says what it was asked for. */
function tells(history: NonNullable<typeof shop.platform.adapter.history>) {
  const told = vi.fn(history);
  shop.platform.adapter.history = told;
  return told;
}

describe("in a shared place", () => {
  it("hears what was said around since it last spoke, as background, and not a second time", async () => {
    const room = await shop.room("group", "Ops");
    await shop.aside(room, "Ben", "The port is 8080.", "b1", 5_000);
    const first = await asked(room, "Which port?");
    expect(first).toMatch(
      /Said here by others since you last spoke.*<said_around>\n- \d\d:\d\d "Ben": The port is 8080\.\n/su,
    );
    expect(first.indexOf("<said_around>")).toBeLessThan(first.indexOf("Which port?"));
    expect(await asked(room, "And the host?")).not.toContain("8080");
    await shop.aside(room, "Ben", "The host is site.", "b2");
    const third = await asked(room, "Now?");
    expect(third).toContain("The host is site.");
    expect(third).not.toContain("8080");
  });

  it("knows the other teammates who can be asked there, and signs its answers beside them", async () => {
    const room = await shop.room("group", "Ops");
    await shop.team("Penny", { job: "Keeps the invoices in order." });
    expect(await asked(room, "Who else is here?")).toContain(
      '- "Penny", "General helper": "Keeps the invoices in order."',
    );
    expect(shop.platform.seen(room.channel).at(-1)?.persona).toEqual({ name: "Milo" });
  });

  it("signs nothing where it is the only one", async () => {
    const room = await shop.room("group", "Ops");
    expect(await asked(room, "Hello?")).not.toContain("Other AI teammates");
    expect(shop.platform.seen(room.channel).at(-1)?.persona).toBeUndefined();
  });

  it("costs one look for the teammates, and a direct message hears nothing of them", async () => {
    const list = vi.spyOn(life.teammates, "list");
    await shop.team("Penny");
    const dm = await shop.room("dm");
    await shop.aside(dm, "Ben", "Never to be told.", "d1");
    const text = await asked(dm, "Hello?");
    expect(text).not.toMatch(/Penny|said_around|Never to be told/u);
    expect(shop.platform.seen(dm.channel).at(-1)?.persona).toBeUndefined();
    expect(list).toHaveBeenCalledTimes(1);
    await asked(await shop.room("group", "Ops"), "Hello?");
    expect(list).toHaveBeenCalledTimes(2);
  });
});

describe("asked in the middle of a foreign thread", () => {
  const thread = async (id: string) => shop.room("channel", undefined, { of: await shop.room("channel", "dev"), id });

  it("F-46 reads what was said in it before, once, with no line twice", async () => {
    const room = await thread("t1");
    await shop.aside(room, "Ben", "Seen and told.", "e2");
    const sentAt = shop.clock.now();
    const history = tells(async () => [
      past("e1", "Ben", "The build is red."),
      past("e2", "Ben", "Seen and told.", { sentAt }),
      past("e3", "CI", "lint failed", { authorKind: "bot", sentAt }),
    ]);
    const text = await asked(room, "Why is it red?", { platformMessageId: "t1-4" });
    expect(history.mock.calls[0]?.slice(0, 3)).toEqual([{ channel: room.channel, thread: "t1" }, "t1-4", 30]);
    expect(text).toContain("Said in this thread before you were asked.");
    expect(text).toMatch(
      /"Ben": The build is red\.\n- \d\d:\d\d "Ben": Seen and told\.\n- \d\d:\d\d "CI" \(a bot\): lint failed/u,
    );
    expect(text.match(/Seen and told/gu)).toHaveLength(1);
    expect(await asked(room, "Sure?", { platformMessageId: "t1-5" })).not.toContain("The build is red.");
    expect(history).toHaveBeenCalledTimes(1);
  });

  it("F-46 keeps what was seen and is not in it, such as the message the thread hangs on", async () => {
    const room = await thread("t2");
    await shop.aside({ ...room, thread: "" }, "Ada", "Look at this build.", "t2");
    tells(async () => [past("e5", "Ben", "It is red.", { sentAt: new Date(shop.clock.now().getTime() + 5) })]);
    expect(await asked(room, "Why?", { platformMessageId: "t2-2" })).toMatch(/Look at this build\.\n.*It is red\./u);
  });

  it("F-46 takes the newest 12,000 characters", async () => {
    const room = await thread("t3");
    tells(async () =>
      Array.from({ length: 30 }, (_, index) => past(`e${index}`, "Ben", `<${index}>${"x".repeat(1_400)}`)),
    );
    const text = await asked(room, "What?", { platformMessageId: "t3-31" });
    expect(text).toContain("<29>");
    expect(text).not.toContain("<20>");
    expect(text.length).toBeLessThan(14_000);
  });

  it("F-46 goes on without it when it cannot be had, and says so", async () => {
    const room = await thread("t4");
    tells(async () => {
      throw new Error("missing scope");
    });
    await shop.aside(room, "Ben", "Seen anyway.", "f1");
    const text = await asked(room, "Why?", { platformMessageId: "t4-2" });
    expect(text).toContain("earlier messages in this thread that could not be read");
    expect(text).toContain("Seen anyway.");
  });

  it("F-46 waits for it only so long, whatever the adapter does with the signal", async () => {
    const room = await thread("t5");
    let signal: AbortSignal | undefined;
    tells((_address, _before, _limit, given) => {
      signal = given;
      return new Promise(() => {});
    });
    expect(await asked(room, "Why?", { platformMessageId: "t5-2" })).toContain("could not be read");
    expect(signal?.aborted).toBe(true);
  });

  it("does not ask for it where the thread starts with the question itself, after a fresh start, or in a direct message", async () => {
    const history = tells(async () => [past("e1", "Ben", "Not wanted.")]);
    await asked(await thread("t6"), "Why?", { platformMessageId: "t6" });
    const reset = await thread("t7");
    await shop.db
      .updateTable("conversations")
      .set({ reset_at: shop.clock.now() })
      .where("id", "=", reset.conversationId)
      .execute();
    await asked(reset, "Why?", { platformMessageId: "t7-2" });
    await asked(await shop.room("dm", undefined, { of: await shop.room("dm"), id: "t8" }), "Why?");
    await asked(await shop.room("channel", "dev"), "Why?");
    expect(history).not.toHaveBeenCalled();
  });

  it("hears the lines of the channel where its message starts the thread, and of the thread later on", async () => {
    const channel = await shop.room("channel", "dev");
    const room = await shop.room("channel", undefined, { of: channel, id: "t9" });
    await shop.aside(channel, "Ben", "Said in the channel.", "c1");
    expect(await asked(room, "Why?", { platformMessageId: "t9" })).toContain("Said in the channel.");
    await shop.aside(channel, "Ben", "Not for the thread.", "c2");
    await shop.aside(room, "Ben", "Said in the thread.", "c3");
    const text = await asked(room, "And?", { platformMessageId: "t9-3" });
    expect(text).toContain("Said in the thread.");
    expect(text).not.toContain("Not for the thread.");
  });
});
