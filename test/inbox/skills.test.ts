import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Author, MessageEvent } from "../../src/chat/index.ts";
import { newId } from "../../src/shared/index.ts";
import { addTeammate, asked } from "./colleagues.ts";
import { ada, command, filled, group, message, person, press } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const { latest, token, labels, pressed } = lastCard(office);
const ben = person("ben", "Ben");

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const skillText = (text = "Lead with what changed.", name = "release-notes") =>
  `---\nname: ${name}\ndescription: Writes release notes.\n---\n${text}\n`;

function file(bytes: Uint8Array | string, more: Partial<MessageEvent> & { name?: string; by?: Author } = {}) {
  const { name = "SKILL.md", by = ada, ...rest } = more;
  const id = newId();
  office.files.set(id, typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  return message(by, "/skills", { files: [{ id, name, kind: "document" }], ...rest });
}

async function teammateId(handle: string): Promise<string> {
  return (await office.deps.teammates.byHandle(office.db, handle))?.id ?? "";
}

/** Those of one teammate, by name. */
async function skillsOf(handle: string): Promise<string[]> {
  const skills = await office.deps.skills.of(office.db, await teammateId(handle));
  return skills.map(({ name }) => name);
}

async function installed() {
  const skill = await office.deps.skills.byName(office.db, "release-notes");
  if (!skill) throw new Error("there is no such skill");
  return skill;
}

async function give(handle: string): Promise<void> {
  const { id } = await installed();
  const to = await teammateId(handle);
  await office.unit((unit) => office.deps.skills.enable(unit, id, to, null));
}

describe("a skill", () => {
  test("comes as a SKILL.md, is given with one press, and taken back with another", async () => {
    await office.sink(file(skillText()));
    expect((await latest()).text).toContain("Added. Who should have it?\n\n**release-notes**\nWrites release notes.");
    expect(await labels()).toEqual(["Give to Milo", "Remove", "All skills"]);
    expect(await skillsOf("milo")).toEqual([]);
    expect(await pressed("Give to Milo")).toBe("Milo has it from the next task on.");
    expect(await skillsOf("milo")).toEqual(["release-notes"]);
    expect((await latest()).text).toContain("Has it: Milo");
    expect(await pressed("Take from Milo")).toBe("Milo doesn't have it any more.");
    expect(await skillsOf("milo")).toEqual([]);
    expect(await office.deliveries()).toEqual([]);
  });

  test("comes as an archive, with all its files", async () => {
    await addTeammate(office);
    const archive = zipSync({ notes: { "SKILL.md": strToU8(skillText()), "run.sh": strToU8("echo hi") } });
    await office.sink(file(archive, { name: "notes.zip" }));
    expect(await readdir((await installed()).folder)).toEqual(["SKILL.md", "run.sh"]);
    const { selects } = await latest();
    expect(selects.map(({ options }) => options.map(({ label }) => label))).toEqual([
      ["Give to Milo", "Give to Penny"],
    ]);
  });

  test("comes as pasted text, where a form can take it", async () => {
    office.can({ forms: true });
    await office.sink(command(ada, "skills"));
    await office.sink(filled(ada, await token("Add"), skillText()));
    expect((await installed()).description).toBe("Writes release notes.");
  });

  test("comes as a file in reply to the form, where that is a message", async () => {
    await office.sink(command(ada, "skills"));
    await office.sink(press(ada, await token("Add")));
    await office.sent("asks-1");
    await office.sink({ ...file(skillText()), text: "", quote: { messageId: "asks-1", fromUs: true } });
    expect((await installed()).name).toBe("release-notes");
  });

  test("comes from a folder of the computer, for the owner alone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skill-"));
    folders.push(folder);
    await writeFile(join(folder, "SKILL.md"), skillText());
    await office.hire(ben, "admin");
    await office.sink(command(ben, "skills", `add ${folder}`));
    expect((await latest()).text).toContain("Only the owner");
    await office.sink(command(ada, "skills", "add notes"));
    expect((await latest()).text).toContain("the whole path");
    await mkdir(join(folder, "inner"));
    await symlink("/etc", join(folder, "inner/etc"));
    await office.sink(command(ada, "skills", `add ${folder}`));
    expect((await latest()).text).toContain("There is a link in it.");
    await rm(join(folder, "inner/etc"));
    await office.sink(command(ada, "skills", `add ${folder}`));
    expect((await installed()).origin).toBe("path");
  });

  test("of the same name takes the place of the one before, for all who had it", async () => {
    await office.sink(file(skillText()));
    await pressed("Give to Milo");
    const { folder } = await installed();
    await office.sink(file(skillText("Be short.")));
    expect((await latest()).text).toContain("Replaced:");
    const [skill] = await office.deps.skills.of(office.db, await teammateId("milo"));
    expect(await readFile(join(skill?.folder ?? "", "SKILL.md"), "utf8")).toContain("Be short.");
    await vi.waitFor(async () => expect(await readdir(folder).catch(() => "gone")).toBe("gone"));
  });

  test("is removed from everybody, after one question; files that somebody changed since stay", async () => {
    await office.sink(file(skillText()));
    await pressed("Give to Milo");
    const { folder } = await installed();
    await writeFile(join(folder, "notes.txt"), "mine");
    await pressed("Remove");
    expect((await latest()).text).toBe("Remove release-notes for good? Milo would lose it.");
    await pressed("Remove it");
    expect(await skillsOf("milo")).toEqual([]);
    expect((await latest()).text).toContain("No skills yet.");
    await office.sink(file(skillText("Another one.")));
    expect(await readdir(folder)).toContain("notes.txt");
  });

  test("that will not do is told, and nothing is added", async () => {
    await office.sink(file("Just words."));
    expect((await latest()).text).toMatch(/^Not added\. Its SKILL\.md must begin/u);
    await office.sink(file(new Uint8Array([0, 1, 2])));
    expect((await latest()).text).toBe("Send a SKILL.md or a .zip.");
    await office.sink(file(zipSync({ "../x": strToU8("x") }), { name: "x.zip" }));
    expect((await latest()).text).toContain("Not added.");
    expect(await office.deps.skills.list(office.db)).toEqual([]);
  });

  test("is neither added nor given by members", async () => {
    await office.hire(ben, "member");
    await office.sink(file(skillText(), { by: ben }));
    expect(await office.deps.skills.list(office.db)).toEqual([]);
    await office.sink(file(skillText()));
    const button = await token("Give to Milo");
    await office.sink(press(ben, button));
    expect(await skillsOf("milo")).toEqual([]);
    await office.sink(command(ben, "skills"));
    expect((await latest()).text).toContain("- **release-notes**: Writes release notes. · nobody has it");
    expect(await labels()).toEqual([]);
  });

  test("is one too many after 32", async () => {
    for (let number = 0; number < 33; number += 1) await office.sink(file(skillText("x", `skill-${number}`)));
    const to = await teammateId("milo");
    const done = [];
    for (const { id } of await office.deps.skills.list(office.db)) {
      done.push(await office.unit((unit) => office.deps.skills.enable(unit, id, to, null)));
    }
    expect(done.filter((each) => each === "enabled")).toHaveLength(32);
    expect(done.at(-1)).toBe("too_many");
  });
});

describe("a skill by its name", () => {
  test("makes a command that nobody knows a request", async () => {
    await office.sink(file(skillText()));
    await give("milo");
    await office.sink(command(ada, "release", "-notes please"));
    await office.sink(command(ada, "release-notes", "for 2.4"));
    expect((await office.messages()).map(({ text }) => text)).toEqual([
      "/release-notes please",
      "/release-notes for 2.4",
    ]);
  });

  test("goes to whoever has it, where the one who answers here does not", async () => {
    await addTeammate(office);
    await office.sink(file(skillText()));
    await give("penny");
    await office.sink(command(ada, "release", "-notes please"));
    await give("milo");
    await office.sink(command(ada, "skill", "release-notes please"));
    expect(await asked(office)).toEqual(["Penny", "Milo"]);
  });

  test("that nobody has is an unknown command, and /skill says so", async () => {
    await office.sink(file(skillText()));
    const unknown = command(ada, "release", "-notes please");
    await office.sink(unknown);
    expect(await office.outcome(unknown.key)).toBe("unknown_command");
    await office.sink(command(ada, "skill", "release-notes please"));
    expect((await latest()).text).toContain("Nobody here has release-notes yet.");
    await office.sink(command(ada, "skill", "nothing at all"));
    expect((await latest()).text).toContain("There is no skill called nothing.");
    await office.sink(command(ada, "skill"));
    expect((await latest()).text).toBe("Which skill? For example: /skill release-notes …");
    expect(await office.deliveries()).toEqual([]);
  });

  test("without words is asked what to do", async () => {
    await office.sink(file(skillText()));
    await give("milo");
    await office.sink(command(ada, "release", "-notes"));
    expect((await latest()).text).toBe("What should be done with release-notes?");
    await office.sink(press(ada, await token("Say what")));
    await office.sent("asks-1");
    await office.sink(message(ada, "For 2.4", { quote: { messageId: "asks-1", fromUs: true } }));
    expect((await office.messages()).map(({ text }) => text)).toEqual(["/release-notes For 2.4"]);
  });

  test("is no request of a stranger's where they may not ask", async () => {
    await office.sink(file(skillText()));
    await give("milo");
    await office.open(group, "members");
    await office.sink(command(person("u-1", "Somebody"), "release", "-notes please", { place: group }));
    expect(await office.deliveries()).toEqual([]);
  });

  test("is offered while people type it, once somebody has it", async () => {
    await office.sink(file(skillText()));
    const typed = () => office.inbox.complete(office.connectionId, "skill", "rel", "ada");
    expect(await typed()).toEqual([]);
    await give("milo");
    expect(await typed()).toEqual(["release-notes"]);
    expect(await office.inbox.complete(office.connectionId, "skill", "rel", "u-1")).toEqual([]);
  });
});
