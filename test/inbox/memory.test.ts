import { beforeEach, describe, expect, test } from "vitest";
import type { Author } from "../../src/chat/index.ts";
import { startTurn } from "../memory/turns.ts";
import { addTeammate } from "./colleagues.ts";
import { ada, command, dm, filled, group, message, person, press, type ShownPost } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");

beforeEach(async () => {
  await office.hire(ben, "member");
  await office.open(group, "members");
});

const { latest, token, labels, pressed, fill } = lastCard(office);

async function list(by: Author = ada, place = dm(by), argument = ""): Promise<ShownPost> {
  await office.sink(command(by, "memory", argument, { place }));
  return latest();
}

/** As if a turn had remembered these. */
async function remembered(by: Author, facts: readonly string[], more: object = {}, place = dm(by)): Promise<void> {
  const turn = await startTurn(office, by, { place });
  for (const text of facts) await turn.call("remember", { text, ...more });
  await turn.complete();
}

const kept = async () =>
  (await office.db.selectFrom("memories").select("text").orderBy("created_at").execute()).map(({ text }) => text);
const generation = async () =>
  (await office.db.selectFrom("teammates").select("memory_generation as it").executeTakeFirstOrThrow()).it;

test("/memory shows what a colleague remembers, for whom, pinned ones first", async () => {
  await remembered(ada, ["Our VAT number is 123."], { audience: "everyone" });
  await remembered(ada, ["Ada likes tea.", "Ada is on leave."]);
  await remembered(ada, ["Answer in Portuguese."], { pinned: true });
  expect((await list()).text).toBe(
    [
      "**What Milo remembers**",
      "",
      "1. Answer in Portuguese. · only for you · always in mind",
      "2. Ada is on leave. · only for you",
      "3. Ada likes tea. · only for you",
      "4. Our VAT number is 123. · everywhere",
    ].join("\n"),
  );
  expect(await labels()).toEqual(["1", "2", "3", "4", "Add…", "Forget everything…"]);
});

test("/memory says what to do where there is nothing", async () => {
  expect((await list()).text).toBe("Milo remembers nothing here yet. Say what to remember, or add it below.");
  expect(await labels()).toEqual(["Add…", "Forget everything…"]);
});

describe("whose it is", () => {
  beforeEach(async () => {
    await remembered(ben, ["Ben is on leave."]);
    await remembered(ben, ["Deploys are on Tuesdays."], {}, group);
    await remembered(ada, ["Our VAT number is 123."], { audience: "everyone" });
  });

  test("the owner sees every place's in a direct message, and of other people's how many there are", async () => {
    const { text } = await list();
    expect(text).toContain("Deploys are on Tuesdays. · only in Ops");
    expect(text).toContain("Our VAT number is 123. · everywhere");
    expect(text).not.toContain("leave");
    expect(text).toContain("One more is only for somebody else.");
  });

  test("a member sees their own and what holds everywhere", async () => {
    const { text } = await list(ben);
    expect(text).toContain("Ben is on leave. · only for you");
    expect(text).toContain("Our VAT number is 123.");
    expect(text).not.toMatch(/Tuesdays|somebody else/u);
  });

  test("in a shared place everybody sees the place's, and nobody a person's", async () => {
    for (const by of [ada, ben]) {
      const { text } = await list(by, group);
      expect(text).toContain("Deploys are on Tuesdays. · only here");
      expect(text).not.toMatch(/leave|somebody else/u);
    }
  });

  test("a card is used by whom it was made for", async () => {
    await list(ada, group);
    const open = await token("1");
    const add = await token("Add…");
    const before = (await office.posts()).length;
    await office.sink(press(ben, open, { place: group }));
    await office.sink(filled(ben, add, "Ben was here.", { place: group }));
    expect(await office.posts()).toHaveLength(before);
    expect(await kept()).not.toContain("Ben was here.");
  });
});

describe("one memory", () => {
  beforeEach(() => remembered(ada, ["Our VAT number is 123."]));
  const open = async () => {
    await list();
    await pressed("1");
  };

  test("is shown in full with what can be done to it", async () => {
    const long = `Invoices go to ${"Contoso ".repeat(40)}at last.`.replace(/\s+/gu, " ");
    await remembered(ada, [long]);
    expect((await list()).text).not.toContain("at last.");
    await pressed("1");
    expect(await latest()).toMatchObject({ op: "edit", text: expect.stringContaining("at last.") });
    expect(await labels()).toEqual(["Edit", "Forget", "Always keep in mind", "Use everywhere", "Back"]);
    await pressed("Back");
    expect((await latest()).text).toContain("2. Our VAT number is 123.");
  });

  test("is corrected in a form that shows how it stands", async () => {
    await open();
    const form = await office.inbox.form(office.connectionId, await token("Edit"), ada.id);
    expect(form).toMatchObject({ value: "Our VAT number is 123.", long: true });
    const before = await generation();
    expect(await fill("Edit", "Our VAT number is 456.")).toBe("Saved.");
    expect((await latest()).text).toContain("Our VAT number is 456.");
    expect(await kept()).toEqual(["Our VAT number is 456."]);
    expect(await generation()).toBe(before + 1);
  });

  test("is corrected by a reply where a platform has no forms", async () => {
    await open();
    await pressed("Edit");
    expect((await latest()).text).toContain("Now: Our VAT number is 123.");
    await office.sent("form-1");
    const quote = { messageId: "form-1", fromUs: true };
    await office.sink(message(ada, "Our VAT number is 456.", { quote }));
    expect(await kept()).toEqual(["Our VAT number is 456."]);
  });

  test("is forgotten", async () => {
    await open();
    const before = await generation();
    expect(await pressed("Forget")).toBe("Forgotten.");
    expect((await latest()).text).toContain("remembers nothing here yet");
    expect(await kept()).toEqual([]);
    expect(await generation()).toBe(before + 1);
  });

  test("is pinned and let go again", async () => {
    await open();
    await pressed("Always keep in mind");
    expect((await latest()).text).toContain("always in mind");
    await pressed("Only when it fits");
    expect((await latest()).text).not.toContain("always in mind");
  });

  test("is used everywhere, and only for one again", async () => {
    await open();
    const before = await generation();
    await pressed("Use everywhere");
    expect((await list(ben)).text).toContain("Our VAT number is 123. · everywhere");
    expect(await generation()).toBe(before);
    await open();
    await pressed("Only for me");
    expect((await list(ben)).text).not.toContain("VAT");
    expect(await generation()).toBe(before + 1);
  });

  test("of a place can be taken from everywhere to that place", async () => {
    await open();
    await pressed("Use everywhere");
    await list(ada, group);
    await pressed("1", ada, { place: group });
    await pressed("Only here", ada, { place: group });
    expect((await list(ben, group)).text).toContain("Our VAT number is 123. · only here");
    expect((await list(ben)).text).not.toContain("VAT");
  });

  test("stays as it is where it was changed since the card was drawn", async () => {
    await open();
    const old = await token("Forget");
    const edit = await token("Edit");
    await office.db.updateTable("memories").set({ text: "Our VAT number is 456.", revision: 2 }).execute();
    await office.sink(filled(ada, edit, "Our VAT number is 789."));
    expect(await kept()).toEqual(["Our VAT number is 456."]);
    await office.sink(press(ada, old));
    expect(await kept()).toEqual(["Our VAT number is 456."]);
    expect((await latest()).text).toContain("456");
  });

  test("that is forgotten meanwhile is not there any more", async () => {
    await open();
    await office.db.deleteFrom("memories").execute();
    expect(await pressed("Always keep in mind")).toBe("That is not remembered any more.");
    expect((await latest()).text).toContain("remembers nothing here yet");
  });

  test("that holds everywhere is for managers and above to change", async () => {
    await open();
    await pressed("Use everywhere");
    await list(ben);
    await pressed("1", ben);
    expect(await labels()).toEqual(["Back"]);
  });

  test("of one's own is for its person to change, and not to widen", async () => {
    await remembered(ben, ["Ben is on leave."]);
    await list(ben);
    await pressed("1", ben);
    expect(await labels()).toEqual(["Edit", "Forget", "Always keep in mind", "Back"]);
    expect(await pressed("Forget", ben)).toBe("Forgotten.");
  });
});

describe("adding", () => {
  test("in a direct message is for that person, in a place for the place", async () => {
    await list();
    expect(await fill("Add…", "Ada likes tea.")).toBe("Saved.");
    expect((await latest()).text).toContain("1. Ada likes tea. · only for you");
    await list(ben, group);
    await office.sink(filled(ben, await token("Add…"), "Deploys are on Tuesdays.", { place: group }));
    expect((await latest()).text).toContain("1. Deploys are on Tuesdays. · only here");
  });

  test.each([
    ["", "Write the fact in a sentence."],
    ["a".repeat(501), "That is too long: a memory has at most 500 characters."],
    [`password: sk-${"a".repeat(30)}`, "That is a secret, and secrets are never remembered."],
  ])("what will not do is said, and the form can be used again: %#", async (value, problem) => {
    await list();
    expect(await fill("Add…", value)).toBe(problem);
    expect(await fill("Add…", "Ada likes tea.")).toBe("Saved.");
    expect(await kept()).toEqual(["Ada likes tea."]);
  });

  test("says so when there is no room", async () => {
    await remembered(
      ada,
      Array.from({ length: 64 }, (_, nth) => `Fact ${nth}.`),
    );
    await list();
    expect(await fill("Add…", "One more.")).toBe("There are 64 memories already. Forget one first.");
  });
});

test("a long list has pages", async () => {
  await remembered(
    ada,
    Array.from({ length: 23 }, (_, nth) => `Fact ${23 - nth}.`),
  );
  expect((await list()).text).toContain("10. Fact 10.");
  expect(await labels()).toContain("More");
  await pressed("More");
  expect((await latest()).text).toMatch(/11\. Fact 11\..*\n[\s\S]*20\. Fact 20\./u);
  await pressed("More");
  expect((await latest()).text).toContain("23. Fact 23.");
  expect(await labels()).not.toContain("More");
  await pressed("23");
  await pressed("Back");
  expect((await latest()).text).toContain("21. Fact 21.");
});

describe("forgetting everything", () => {
  beforeEach(() => remembered(ben, ["Ben is on leave."]));

  test("is asked once more, says how much it is, and can be left", async () => {
    await list();
    await pressed("Forget everything…");
    expect((await latest()).text).toContain("That is 1 memory, also those of other places and people.");
    await pressed("Keep it");
    expect(await kept()).toEqual(["Ben is on leave."]);
  });

  test("leaves nothing, is written down, and no thread that knew it is gone on with", async () => {
    const before = await generation();
    await list();
    await pressed("Forget everything…");
    expect(await pressed("Forget everything")).toBe("Milo remembers nothing any more.");
    expect(await kept()).toEqual([]);
    expect(await generation()).toBe(before + 1);
    const audit = await office.db.selectFrom("audit_log").select("action").execute();
    expect(audit).toContainEqual({ action: "memory_forget_all" });
  });

  test("is for managers and above, also when they were one as the card was drawn", async () => {
    await list(ben);
    expect(await labels()).not.toContain("Forget everything…");
    await office.db.updateTable("people").set({ role: "manager" }).where("display_name", "=", "Ben").execute();
    await list(ben);
    await pressed("Forget everything…", ben);
    const now = await token("Forget everything");
    await office.db.updateTable("people").set({ role: "member" }).where("display_name", "=", "Ben").execute();
    await office.sink(press(ben, now));
    expect(await kept()).toEqual(["Ben is on leave."]);
  });
});

describe("with several colleagues", () => {
  beforeEach(async () => {
    await addTeammate(office);
  });

  test("a name says whose, and without one it is whom this conversation is with", async () => {
    const started = await list();
    expect(started.text).toContain("Milo remembers");
    expect(started.text).toContain("Somebody else's: /memory Penny");
    expect((await list(ada, dm(ada), "penny")).text).toContain("Penny remembers nothing");
    await office.sink(message(ada, "Penny, hello"));
    expect((await list()).text).toContain("Penny remembers");
    expect((await list(ada, dm(ada), "nobody")).text).toContain("There is no nobody here.");
  });
});

test("where somebody may not ask any more, an old card changes nothing", async () => {
  await remembered(ben, ["Deploys are on Tuesdays."], {}, group);
  await list(ben, group);
  await pressed("1", ben, { place: group });
  const old = await token("Forget");
  await office.open(group, "owner");
  await office.sink(press(ben, old, { place: group }));
  expect(await kept()).toEqual(["Deploys are on Tuesdays."]);
});

test("F-65 what somebody had remembered is shown letter by letter", async () => {
  await remembered(ada, ["Say **hello** to [us](https://evil.example) @everyone."]);
  expect((await list()).text).not.toMatch(/\*\*hello\*\*|\]\(https/u);
});
