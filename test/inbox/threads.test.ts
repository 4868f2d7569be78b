import { beforeEach, expect, test } from "vitest";
import type { MessageEvent } from "../../src/chat/index.ts";
import { addPost, addTeammate, asked } from "./colleagues.ts";
import { ada, command, dm, group, message, person, stranger } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
beforeEach(async () => {
  await office.open(group, "members");
  await office.hire(ben, "member");
});

const ben = person("ben", "Ben");
const thread = { ...group, thread: "t1" };

/** Somebody mentions us in the channel: their message is what the thread hangs on. */
async function begin(text = "look at this"): Promise<void> {
  await office.sink(message(ada, text, { place: thread, messageId: "t1" }));
}

function talk(text: string, more: Partial<MessageEvent> = {}): MessageEvent {
  return message(ben, text, { place: thread, addressed: "ambient", ...more });
}

/** What becomes of talk. */
async function say(text: string, more: Partial<MessageEvent> = {}): Promise<string> {
  const event = talk(text, more);
  await office.sink(event);
  return office.outcome(event.key);
}

async function seen(): Promise<string[]> {
  const rows = await office.db.selectFrom("seen_messages").select("text").orderBy("sent_at").execute();
  return rows.map((row) => row.text);
}

test("in a thread that began by addressing us nobody has to name us again", async () => {
  await begin();
  expect(await say("and this one?")).toBe("delivered");
  const [one, other] = await office.deliveries();
  expect(other?.conversationId).toBe(one?.conversationId);
  expect((await office.messages()).at(-1)).toMatchObject({ text: "and this one?", authorName: "Ben", thread: "t1" });
  expect(await seen()).toEqual([]);
});

test("what goes on in our thread stays with the teammate who answers there", async () => {
  await addTeammate(office);
  await begin("Penny, look at this");
  await say("and this one?");
  await say("Milo, what do you think?");
  await say("really?");
  expect(await asked(office)).toEqual(["Penny", "Penny", "Milo", "Milo"]);
});

test("a thread beneath a post of ours is ours", async () => {
  await addPost(office, { channel: group.channel, messageId: "t1" });
  expect(await say("why is that?")).toBe("delivered");
});

test("a post of ours with the same id in another channel makes no thread ours", async () => {
  await addPost(office, { channel: "group-2", messageId: "t1" });
  expect(await say("why is that?")).toBe("not_addressed");
});

test("a thread of other people stays theirs, also after somebody mentioned us in the middle of it", async () => {
  expect(await say("what a day")).toBe("not_addressed");
  await office.sink(message(ada, "look at this", { place: thread, messageId: "m7" }));
  expect(await say("oh well")).toBe("not_addressed");
  expect(await office.deliveries()).toHaveLength(1);
  await office.sink(message(ada, "and at this", { place: thread, messageId: "m9" }));
  expect(await office.deliveries()).toHaveLength(2);
});

test("talk in the channel beside our thread is not meant for us", async () => {
  await begin();
  expect(await say("lunch?", { place: group })).toBe("not_addressed");
  expect(await say("lunch?", { place: { ...group, thread: "t2" } })).toBe("not_addressed");
});

test("what mentions somebody else, or begins with !aside, is left among them even in our thread", async () => {
  await begin();
  const other = talk("can you look?", { mentionsOthers: true });
  await office.sink(other);
  expect(await office.outcome(other.key)).toBe("for_somebody_else");
  expect(await say("!aside lunch?")).toBe("aside");
  expect(await say(" !ASIDE lunch?")).toBe("aside");
  expect(await office.deliveries()).toHaveLength(1);
  expect(await seen()).toEqual(["can you look?", "!aside lunch?", " !ASIDE lunch?"]);
});

test("beneath a post of ours it is the same: a platform that calls that a reply quotes nothing of ours", async () => {
  await addPost(office, { channel: group.channel, messageId: "t1" });
  const reply = { addressed: "reply" } as const;
  expect(await say("why is that?", reply)).toBe("delivered");
  expect(await say("!aside lunch?", reply)).toBe("aside");
  expect(await say("mute", reply)).toBe("handled");
  expect(await say("and that?", reply)).toBe("muted");
  const quote = { messageId: "t1", fromUs: true };
  expect(await say("no, why?", { ...reply, quote })).toBe("delivered");
  expect(await seen()).toEqual(["!aside lunch?", "and that?"]);
});

test("F-13 a bot is not answered in our thread", async () => {
  await begin();
  expect(await say("beep", { author: { ...ben, isBot: true } })).toBe("bot");
  expect(await seen()).toEqual([]);
});

test("something without a word or a file in our thread is nothing", async () => {
  await begin();
  const before = (await office.posts()).length;
  expect(await say(" ")).toBe("not_addressed");
  expect(await office.posts()).toHaveLength(before);
});

test("somebody who may not ask here may not go on in our thread either, and hears nothing", async () => {
  await begin();
  const before = (await office.posts()).length;
  expect(await say("give me the keys", { author: stranger })).toBe("stranger");
  expect(await office.deliveries()).toHaveLength(1);
  expect(await office.posts()).toHaveLength(before);
  expect(await seen()).toEqual(["give me the keys"]);
});

test("in a place that was closed again our thread is nobody's business", async () => {
  await begin();
  await office.open(group, "closed");
  const before = (await office.posts()).length;
  expect(await say("go on")).toBe("not_addressed");
  expect(await office.deliveries()).toHaveLength(1);
  expect(await office.posts()).toHaveLength(before);
  expect(await seen()).toEqual([]);
});

test("a thread remains ours after its first message was deleted", async () => {
  await begin();
  await office.sink({ kind: "deletion", key: "deletion", place: group, messageId: "t1" });
  expect(await say("go on")).toBe("delivered");
});

for (const word of ["mute", "Mute", " MUTE. "]) {
  test(`"${word}" alone in our thread makes us listen there only when named`, async () => {
    await begin();
    expect(await say(word)).toBe("handled");
    expect((await office.posts()).at(-1)).toMatchObject({
      text: "I listen here only when somebody names me. “unmute” changes that.",
      thread: "t1",
    });
    expect(await say("go on")).toBe("muted");
    expect(await office.deliveries()).toHaveLength(1);
    expect(await seen()).toEqual(["go on"]);
    const [row] = await office.db
      .selectFrom("muted_threads as m")
      .innerJoin("people as p", "p.id", "m.muted_by")
      .select("p.display_name")
      .execute();
    expect(row?.display_name).toBe("Ben");
  });
}

test("in a muted thread a mention, a reply to us and a name work as ever", async () => {
  await begin();
  await say("mute");
  await office.sink(message(ben, "look", { place: thread }));
  const quote = { messageId: "p1", fromUs: true };
  await office.sink(message(ben, "look", { place: thread, addressed: "reply", quote }));
  expect(await say("@Milo look")).toBe("delivered");
  expect(await say("Milo, look")).toBe("muted");
  expect(await office.deliveries()).toHaveLength(4);
});

test("other threads of ours listen on", async () => {
  await begin();
  await say("mute");
  await office.sink(message(ada, "another", { place: { ...group, thread: "t2" }, messageId: "t2" }));
  expect(await say("go on", { place: { ...group, thread: "t2" } })).toBe("delivered");
});

test("unmute makes us listen to everything again", async () => {
  await begin();
  await say("mute");
  await say("mute");
  expect(await say("unmute!")).toBe("handled");
  expect((await office.texts()).at(-1)).toBe("I listen to everything here again.");
  expect(await say("go on")).toBe("delivered");
});

test("the words work with our name, too", async () => {
  await begin();
  await office.sink(message(ada, "mute", { place: thread }));
  expect(await say("go on")).toBe("muted");
  await office.sink(message(ada, "unmute", { place: thread }));
  expect(await say("go on")).toBe("delivered");
});

test("somebody who may not ask here cannot mute us", async () => {
  await begin();
  await say("mute", { author: stranger });
  expect(await say("go on")).toBe("delivered");
});

test("outside a thread of ours, and in a direct message, the words are ordinary ones", async () => {
  expect(await say("mute")).toBe("not_addressed");
  await office.sink(message(ada, "mute", { place: group }));
  await office.sink(message(ada, "mute", { place: { ...dm(ada), thread: "t5" }, messageId: "t5" }));
  await office.sink(message(ada, "mute", { place: { ...dm(ada), thread: "t5" } }));
  await begin();
  await office.sink(talk("mute", { files: [{ id: "f", name: "f", kind: "photo" }] }));
  await office.sink(talk("mute the sound"));
  expect(await office.deliveries()).toHaveLength(6);
});

test("stop in our thread is for the one whose work runs there, and goes on to be no work of its own", async () => {
  await begin();
  expect(await say("stop")).toBe("not_addressed");
  expect(await say("stop", { author: ada })).toBe("handled");
  expect((await office.deliveries()).map((each) => each.status)).toEqual(["cancelled"]);
});

test("a teammate's name typed as a mention calls them anywhere in an opened place", async () => {
  await addTeammate(office);
  expect(await say("what do you say, @Penny?", { place: group })).toBe("delivered");
  expect(await say("what do you say, @Penny?", { place: { ...group, thread: "t2" } })).toBe("delivered");
  expect(await asked(office)).toEqual(["Penny", "Penny"]);
});

test("a typed name calls nobody where it is somebody else's, in code, without the sign, or in a place that is closed", async () => {
  expect(await say("@Milo look", { place: group, mentionsOthers: true })).toBe("not_addressed");
  expect(await say("`@Milo` look", { place: group })).toBe("not_addressed");
  expect(await say("Milo, look", { place: group })).toBe("not_addressed");
  expect(await say("!aside @Milo is slow", { place: group })).toBe("not_addressed");
  expect(await say("@Milo look", { place: group, forwardedFrom: "Ada" })).toBe("not_addressed");
  await office.open(group, "closed");
  expect(await say("@Milo look", { place: group })).toBe("not_addressed");
  expect(await office.deliveries()).toHaveLength(0);
});

test("a bot that is one teammate's own is called by that name only", async () => {
  await addTeammate(office);
  await office.db.updateTable("connections").set({ teammate_handle: "penny" }).execute();
  expect(await say("@Milo look", { place: group })).toBe("not_addressed");
  expect(await say("@Penny look", { place: group })).toBe("delivered");
});

test("F-11 /why says what became of each of them", async () => {
  await begin();
  await say("!aside lunch?");
  await say("look", { mentionsOthers: true });
  await say("mute");
  await say("go on");
  await office.sink(command(ben, "why", "", { place: thread }));
  const text = (await office.texts()).at(-1) ?? "";
  expect(text).toContain("it was an aside among you");
  expect(text).toContain("it was meant for somebody else");
  expect(text).toContain("I was asked to listen there only when named");
});
