import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, type Zippable, zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../src/shared/index.ts";
import {
  type Bundle,
  bundleInside,
  bundleOfArchive,
  bundleOfFolder,
  bundleOfText,
  namedSkills,
  placeSkills,
  type Skill,
} from "../../src/skills/index.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "skills-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const skillText = (name = "release-notes", description = "Writes release notes.") =>
  `---\nname: ${name}\ndescription: ${description}\n---\nLead with what changed.\n`;

function ok(bundle: Bundle | string): Bundle {
  if (typeof bundle === "string") throw new Error(`not a skill: ${bundle}`);
  return bundle;
}

describe("a skill", () => {
  test("says its name and what it is for at the top of its SKILL.md", async () => {
    const bundle = ok(
      await bundleOfText(`\uFEFF${skillText("release-notes", '"Writes: notes"').replaceAll("\n", "\r\n")}`),
    );
    expect(bundle).toMatchObject({ name: "release-notes", description: "Writes: notes" });
  });

  test.each([
    ["no header", "Just words.", "no_header"],
    ["a header that never ends", "---\nname: x\n", "no_header"],
    ["broken YAML", "---\nname: [\n---\n", "no_header"],
    ["no description", "---\nname: notes\n---\n", "no_header"],
    ["capitals in its name", skillText("Release"), "name_bad"],
    ["a path as its name", skillText("../etc"), "name_bad"],
    ["a long name", skillText("a".repeat(65)), "name_bad"],
    ["a number as its name", "---\nname: 12\ndescription: x\n---\n", "no_header"],
  ])("with %s is none", async (_, text, problem) => {
    expect(await bundleOfText(text)).toBe(problem);
  });

  test("of lines that grow without end is none", async () => {
    const grows = "a: &a [x]\nb: &b [*a,*a]\nc: [*b,*b]\n";
    expect(await bundleOfText(`---\n${grows}name: notes\ndescription: x\n---\n`)).toBe("no_header");
  });

  test("shows no secret in what it is for", async () => {
    const text = skillText("notes", "Uses sk-abcdefghijklmnopqrstuvwx");
    expect(ok(await bundleOfText(text)).description).toBe("Uses [secret]");
  });
});

const zip = (files: Zippable) => zipSync(files);
const withMode = (text: string, mode: number): Zippable[string] => [strToU8(text), { os: 3, attrs: mode << 16 }];

describe("an archive", () => {
  test("of a folder is that folder, with what can be run and without what systems add", async () => {
    const archive = zip({
      notes: { "SKILL.md": strToU8(skillText()), "run.sh": withMode("echo hi", 0o100755), ".DS_Store": strToU8("x") },
      "__MACOSX/notes/._SKILL.md": strToU8("x"),
    });
    const { files } = ok(await bundleOfArchive(archive));
    expect(files.map(({ path, isExecutable }) => [path, isExecutable]).toSorted()).toEqual([
      ["SKILL.md", false],
      ["run.sh", true],
    ]);
  });

  test.each<[string, Zippable, string]>([
    ["without a SKILL.md", { "a.md": strToU8("x") }, "no_skill_file"],
    ["that leads out of its folder", { "SKILL.md": strToU8(skillText()), "../out.sh": strToU8("x") }, "bad_path"],
    ["that begins at the root", { "SKILL.md": strToU8(skillText()), "/etc/cron": strToU8("x") }, "bad_path"],
    ["with a Windows path", { "SKILL.md": strToU8(skillText()), "..\\out.sh": strToU8("x") }, "bad_path"],
    ["with one name twice", { "SKILL.md": strToU8(skillText()), "skill.md": strToU8("x") }, "bad_path"],
    ["with a link", { "SKILL.md": strToU8(skillText()), passwd: withMode("/etc/passwd", 0o120777) }, "link"],
    ["too large to unpack", { "SKILL.md": strToU8(skillText()), zeros: new Uint8Array(6 * 1024 * 1024) }, "too_large"],
    [
      "of too many files",
      Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`${index}`, strToU8("x")])),
      "too_many_files",
    ],
  ])("%s is refused", async (_, files, problem) => {
    expect(await bundleOfArchive(zip(files))).toBe(problem);
  });

  test("that is none, or cut off, is refused", async () => {
    expect(await bundleOfArchive(strToU8("hello"))).toBe("not_an_archive");
    const whole = zip({ "SKILL.md": strToU8(skillText()) });
    expect(await bundleOfArchive(whole.subarray(0, whole.length - 10))).toBe("not_an_archive");
    expect(await bundleOfArchive(whole.subarray(40))).toBe("not_an_archive");
  });

  test("that lies about its sizes unpacks to no more than it says", async () => {
    const archive = zip({ "SKILL.md": strToU8(skillText()), zeros: new Uint8Array(1_000_000) });
    const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
    for (let at = 0; at < archive.length - 4; at += 1) {
      if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) === 1_000_000) {
        view.setUint32(at + 24, 10, true);
      }
    }
    const bundle = await bundleOfArchive(archive);
    const sizes = typeof bundle === "string" ? [] : bundle.files.map(({ bytes }) => bytes.byteLength);
    expect(Math.max(0, ...sizes)).toBeLessThan(1_000);
  });
});

describe("a folder", () => {
  async function write(path: string, text = skillText()): Promise<void> {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  test("is the same skill wherever it lies, and another one when anything in it changes", async () => {
    await write("one/SKILL.md");
    await write("two/SKILL.md");
    const one = ok(await bundleOfFolder(join(folder, "one")));
    expect(ok(await bundleOfFolder(join(folder, "two"))).contentHash).toBe(one.contentHash);
    await write("two/scripts/run.sh", "echo hi");
    const two = ok(await bundleOfFolder(join(folder, "two")));
    await chmod(join(folder, "two/scripts/run.sh"), 0o755);
    const three = ok(await bundleOfFolder(join(folder, "two")));
    expect(new Set([one.contentHash, two.contentHash, three.contentHash]).size).toBe(3);
  });

  test("with a link in it is refused, wherever that leads", async () => {
    await write("notes/SKILL.md");
    await write("secret", "precious");
    await symlink(join(folder, "secret"), join(folder, "notes/extra"));
    expect(await bundleOfFolder(join(folder, "notes"))).toBe("link");
    await rm(join(folder, "notes/extra"));
    await link(join(folder, "secret"), join(folder, "notes/extra"));
    expect(await bundleOfFolder(join(folder, "notes"))).toBe("link");
  });

  test("that a teammate names has to lie in its workspace, also behind a link", async () => {
    await write("outside/SKILL.md");
    await mkdir(join(folder, "workspace"));
    await symlink(join(folder, "outside"), join(folder, "workspace/inside"));
    const inside = (path: string) => bundleInside(join(folder, "workspace"), path);
    expect(await inside("inside")).toBe("bad_path");
    expect(await inside("../outside")).toBe("bad_path");
    expect(await inside(".")).toBe("bad_path");
    expect(await inside("nowhere")).toBe("not_found");
  });
});

describe("in a workspace", () => {
  const inWorkspace = (path: string) => join(folder, "workspace", path);
  const copy = (name: string) => inWorkspace(`.agents/skills/${name}`);

  async function skill(name: string, text = "Lead with what changed."): Promise<Skill> {
    const source = join(folder, "store", newId());
    await mkdir(source, { recursive: true });
    await writeFile(join(source, "SKILL.md"), `${skillText(name)}${text}\n`);
    const { contentHash, description } = ok(await bundleOfFolder(source));
    return { id: newId(), name, description, folder: source, contentHash };
  }
  const place = (...skills: readonly Skill[]) => placeSkills(join(folder, "workspace"), skills);

  beforeEach(() => mkdir(join(folder, "workspace")));

  test("is a copy of each skill its teammate has, written when something changed, gone when it has it no more", async () => {
    const [notes, invoices] = [await skill("release-notes"), await skill("invoices")];
    await place(notes, invoices);
    const file = join(copy("release-notes"), "SKILL.md");
    const before = await stat(file);
    await place(notes);
    expect((await stat(file)).ino).toBe(before.ino);
    expect(await readdir(inWorkspace(".agents/skills"))).toEqual([".shipmate.json", "release-notes"]);
    await place(await skill("release-notes", "Be short."));
    expect(await readFile(file, "utf8")).toContain("Be short.");
    await place();
    expect(await readdir(inWorkspace(".agents/skills"))).toEqual([".shipmate.json"]);
    expect(await readdir(inWorkspace(".agents"))).toEqual(["skills"]);
  });

  test("what the teammate made itself stays", async () => {
    await mkdir(copy("own"), { recursive: true });
    await writeFile(join(copy("own"), "SKILL.md"), skillText("own"));
    await place(await skill("release-notes"));
    await place();
    expect(await readFile(join(copy("own"), "SKILL.md"), "utf8")).toBe(skillText("own"));
  });

  test("a copy that somebody changed is made anew, and the changed one kept aside", async () => {
    const notes = await skill("release-notes");
    await place(notes);
    await writeFile(join(copy("release-notes"), "SKILL.md"), "Do what I say.");
    await place(notes);
    expect(await readFile(join(copy("release-notes"), "SKILL.md"), "utf8")).toContain("Lead with what changed.");
    const [kept] = await readdir(inWorkspace(".agents/skills-kept"));
    expect(await readFile(inWorkspace(`.agents/skills-kept/${kept}/SKILL.md`), "utf8")).toBe("Do what I say.");
  });

  test("a note that was tampered with leads to nothing outside the folder of skills", async () => {
    await place(await skill("release-notes"));
    await mkdir(inWorkspace("precious"));
    const note = { "../../precious": { hash: "x", looks: "" } };
    await writeFile(inWorkspace(".agents/skills/.shipmate.json"), JSON.stringify(note));
    await place();
    expect(await readdir(inWorkspace("."))).toContain("precious");
  });

  test("a link in place of the folder of skills is replaced, never followed", async () => {
    await mkdir(join(folder, "outside"));
    await symlink(join(folder, "outside"), inWorkspace(".agents"));
    await place(await skill("release-notes"));
    expect(await readdir(join(folder, "outside"))).toEqual([]);
    expect(await readFile(join(copy("release-notes"), "SKILL.md"), "utf8")).toContain("Lead with");
  });

  test("two turns may bring it up to date at the same moment", async () => {
    const notes = await skill("release-notes");
    await Promise.all(Array.from({ length: 6 }, () => place(notes)));
    expect(await readFile(join(copy("release-notes"), "SKILL.md"), "utf8")).toContain("Lead with");
    expect(await readdir(inWorkspace(".agents"))).toEqual(["skills"]);
  });
});

test("a message names skills as people type them, at its start or after a space", () => {
  const known = ["release-notes", "notes", "invoices"].map(
    (name): Skill => ({ id: name, name, description: "", folder: "", contentHash: "" }),
  );
  const named = (text: string) => namedSkills(text, known).map(({ name }) => name);
  expect(named("/release-notes please")).toEqual(["release-notes"]);
  expect(named("Use /notes and (/invoices), then /notes again.")).toEqual(["notes", "invoices"]);
  for (const text of [
    "/unknown",
    "a/notes",
    "https://example.org/notes",
    "/notes/today",
    "`/notes`",
    "/notes.md",
    "/Notes",
  ]) {
    expect(named(text)).toEqual([]);
  }
});
