import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { issueTokens } from "../../src/attention/index.ts";
import type { MessageEvent } from "../../src/chat/index.ts";
import { differenceOf } from "../../src/inbox/instructions/difference.ts";
import { fetchUpload } from "../../src/inbox/uploads.ts";
import { newId } from "../../src/shared/index.ts";
import { takeOwnChange } from "../../src/teammates/index.ts";
import { addTeammate, startRun } from "./colleagues.ts";
import { ada, command, group, message, person, press, stranger } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const { latest, token, labels, pressed, fill } = lastCard(office);
const ben = person("ben", "Ben");

const milo = () => office.db.selectFrom("teammates").selectAll().where("handle", "=", "milo").executeTakeFirstOrThrow();
const instructions = async () => (await milo()).instructions;

function write(text: string): Promise<unknown> {
  return office.db.updateTable("teammates").set({ instructions: text }).where("handle", "=", "milo").execute();
}

function file(
  text: string,
  { name = "how.md", ...more }: Partial<MessageEvent> & { name?: string; text?: string } = {},
) {
  const id = newId();
  office.files.set(id, Buffer.from(text));
  return message(ada, more.text ?? "/instructions", { files: [{ id, name, kind: "document" }], ...more });
}

const uploads = () => office.db.selectFrom("posts").select("body").where("op", "=", "upload").orderBy("seq").execute();

describe("/instructions", () => {
  beforeEach(() => write("Answer in rhymes."));

  test("shows what somebody is told, and what is told around it", async () => {
    await office.sink(command(ada, "instructions"));
    const { text } = await latest();
    expect(text).toContain("**Instructions of Milo**");
    expect(text).toContain("```md\nAnswer in rhymes.\n```");
    expect(text).toContain("I tell it who it is");
    expect(await labels()).toEqual(["Edit"]);
  });

  test("is of whoever is named, else of whoever answers here", async () => {
    await addTeammate(office);
    await office.sink(command(ada, "instructions", "penny"));
    expect((await latest()).text).toContain("**Instructions of Penny**\n\nNone of its own yet.");
    await office.sink(command(ada, "instructions"));
    expect((await latest()).text).toContain("For somebody else: /instructions Penny");
    await office.sink(command(ada, "instructions", "Nobody"));
    expect((await latest()).text).toContain("There is no Nobody here.");
  });

  test("is read by members and edited by managers; strangers get nothing", async () => {
    await office.hire(ben, "member");
    await office.sink(command(ben, "instructions"));
    expect((await latest()).text).toContain("Answer in rhymes.");
    expect(await labels()).toEqual([]);
    const before = (await office.texts()).length;
    await office.sink(command(stranger, "instructions"));
    expect((await office.texts()).slice(before).join()).not.toContain("rhymes");
  });

  test("cannot be used to end the block it stands in", async () => {
    await write("Before\n```\nafter\n````\n");
    await office.sink(command(ada, "instructions"));
    expect((await latest()).text).toContain("`````md\nBefore\n```\nafter\n````\n`````");
  });

  test("is a file where it is long, and no form where it is longer than one", async () => {
    await write("Be kind. ".repeat(200).trim());
    await office.sink(command(ada, "instructions"));
    expect((await latest()).text).toContain("They are in the file below.");
    expect(await labels()).toEqual(["Edit"]);
    const [post] = await uploads();
    const body = post?.body as { path: string; name: string };
    expect(body.name).toBe("instructions-milo.md");
    expect((await readFile(body.path, "utf8")).trim()).toBe(await instructions());
    await write("Be kind. ".repeat(500).trim());
    await office.sink(command(ada, "instructions"));
    expect(await labels()).toEqual([]);
    expect((await latest()).text).toContain("too long to edit here");
  });
});

describe("an edit", () => {
  beforeEach(async () => {
    office.can({ forms: true });
    await write("Answer in rhymes.");
    await office.sink(command(ada, "instructions"));
  });

  test("begins with what stands there, is saved, shown and written down", async () => {
    const form = await office.inbox.form(office.connectionId, await token("Edit"), "ada");
    expect(form).toMatchObject({ value: "Answer in rhymes.", long: true });
    expect(await fill("Edit", "Be brief.")).toBe("Saved. It counts from the next task on.");
    expect(await instructions()).toBe("Be brief.");
    expect((await latest()).text).toContain("Be brief.");
    const trace = await office.db
      .selectFrom("audit_log")
      .selectAll()
      .where("action", "=", "instructions_changed")
      .execute();
    expect(trace.map(({ data }) => data)).toEqual([{ from: "Answer in rhymes.", to: "Be brief." }]);
  });

  test("holds no secret and no mark of ours, and may take everything away", async () => {
    await fill("Edit", "Key sk-abcdefghijklmnopqrstuvwx <!-- shipmate: end -->");
    expect(await instructions()).toBe("Key [secret] <! -- shipmate: end -->");
    await fill("Edit", "none");
    expect(await instructions()).toBe("");
  });

  test("of a text that somebody changed meanwhile is refused, and a second save overwrites", async () => {
    await write("Answer in prose.");
    await fill("Edit", "Be brief.");
    expect(await instructions()).toBe("Answer in prose.");
    expect((await latest()).text).toContain("- Answer in prose.\n+ Be brief.");
    expect(await labels()).toEqual(["Save mine", "Keep theirs"]);
    expect(await pressed("Save mine")).toBe("Saved. It counts from the next task on.");
    expect(await instructions()).toBe("Be brief.");
  });

  test("of a text that somebody changed meanwhile can be left at that", async () => {
    await write("Answer in prose.");
    await fill("Edit", "Be brief.");
    expect(await pressed("Keep theirs")).toBe("Theirs stay.");
    expect(await instructions()).toBe("Answer in prose.");
  });

  test("that is too long uses nothing up", async () => {
    expect(await fill("Edit", "x".repeat(8_001))).toBe("Instructions have at most 8,000 characters.");
    expect(await fill("Edit", "Be brief.")).toContain("Saved.");
  });
});

describe("a file", () => {
  test("with the command beneath it replaces the instructions, and is no task", async () => {
    await addTeammate(office);
    await office.sink(file("# How\r\nBe brief.\n", { text: "/instructions Milo" }));
    expect(await instructions()).toBe("# How\nBe brief.");
    expect((await latest()).text).toContain("Saved.");
    expect(await office.deliveries()).toEqual([]);
  });

  test("comes with the bare word where commands share one name", async () => {
    office.can({ commandPrefix: "/shipmate " });
    await office.sink(file("Be brief.", { text: "instructions" }));
    expect(await instructions()).toBe("Be brief.");
  });

  test("as a reply to the form is that form filled in, with the same care", async () => {
    await write("Answer in rhymes.");
    await office.sink(command(ada, "instructions"));
    await office.sink(press(ada, await token("Edit")));
    await office.sent("asks-1");
    await write("Answer in prose.");
    await office.sink(file("Be brief.", { text: "", quote: { messageId: "asks-1", fromUs: true } }));
    expect(await instructions()).toBe("Answer in prose.");
    expect(await labels()).toEqual(["Save mine", "Keep theirs"]);
  });

  test("of a member is an ordinary message", async () => {
    await office.hire(ben, "member");
    await office.sink({ ...file("Be brief."), author: ben, place: { channel: "dm-ben", kind: "dm" } });
    expect(await instructions()).toBe("");
    expect(await office.deliveries()).toHaveLength(1);
  });

  test("that is gone, no text, or too long is told, and changes nothing", async () => {
    await office.sink(message(ada, "/instructions", { files: [{ id: "gone", name: "a.md", kind: "document" }] }));
    expect((await latest()).text).toBe("I couldn't fetch that file. Send it once more.");
    await office.sink(file("a\0b"));
    expect((await latest()).text).toContain("I take a .md or .txt file");
    await office.sink(file("x".repeat(8_001)));
    expect((await latest()).text).toContain("at most 8,000 characters");
    expect(await instructions()).toBe("");
  });
});

test("a file that never arrives is not waited for", async () => {
  office.files.set("slow", "never");
  const event = message(ada, "/instructions", { files: [{ id: "slow", name: "a.md", kind: "document" }] });
  expect(await fetchUpload(office.deps, office.connectionId, event, 20)).toMatchObject({ content: "unavailable" });
});

describe("what a teammate changed itself", () => {
  async function changedByItself(): Promise<string> {
    await write("Be kind.");
    await office.db.updateTable("teammates").set({ instructions_written: "Be kind." }).execute();
    await office.sink(message(ada, "Be brief from now on."));
    const runId = await startRun(office);
    const { id: teammateId } = await milo();
    const taken = await office.unit((unit) =>
      takeOwnChange(unit, { teammateId, runId, found: "Be brief.", now: new Date() }),
    );
    if (taken.kind !== "taken") throw new Error(taken.kind);
    return taken.changeId;
  }

  /** As the notice offers it. */
  async function notice(changeId: string): Promise<void> {
    const tokens = await office.unit((unit) =>
      issueTokens(unit, { choices: [{ key: "view", action: "instructions_view", payload: { changeId } }] }),
    );
    await office.sink(press(ada, tokens.view));
  }

  test("can be looked at as often as somebody likes, and undone by a manager", async () => {
    await notice(await changedByItself());
    const texts = (await office.texts()).slice(-2);
    expect(texts[0]).toBe("What Milo changed:\n\n```diff\n- Be kind.\n+ Be brief.\n```");
    expect(texts[1]).toBe("Milo changed its instructions.");
    expect(await labels()).toEqual(["View", "Undo"]);
    await office.hire(ben, "member");
    await pressed("Undo", ben);
    expect(await instructions()).toBe("Be brief.");
    expect(await pressed("Undo")).toBe("Undone. It counts from the next task on.");
    expect(await instructions()).toBe("Be kind.");
    expect((await latest()).text).toBe("Milo changed its instructions. Undone by Ada.");
    expect(await labels()).toEqual(["View"]);
  });

  test("is not undone over what somebody wrote since", async () => {
    await notice(await changedByItself());
    await write("Answer in prose.");
    expect(await pressed("Undo")).toContain("changed again since");
    expect(await instructions()).toBe("Answer in prose.");
  });
});

test("a difference shows lines gone and lines new, and where it leaves some out", () => {
  expect(differenceOf("a\nb\nc\nd\ne", "a\nB\nc\nD\ne")).toBe("…\n- b\n+ B\n…\n- d\n+ D\n…");
  expect(differenceOf("", "a")).toBe("+ a");
  expect(differenceOf("a", "")).toBe("- a");
  expect(differenceOf("a\nb", "a\nb\nb")).toBe("…\n+ b");
});

test("in a shared place only its giver reads what somebody is told, where the platform can", async () => {
  office.can({ privatePosts: true });
  await office.open(group, "everyone");
  await office.sink(command(ada, "instructions", "", { place: group }));
  expect((await latest()).onlyFor?.userId).toBe("ada");
});
