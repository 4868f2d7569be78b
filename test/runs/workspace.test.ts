import { link, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AboutTeammate, lastingPart, readOwnPart, writeAgentsFile } from "../../src/runs/agents-file.ts";
import { makeWorkspace } from "../../src/runs/workspace.ts";

const milo = { name: "Milo", title: "general helper", job: "Help with whatever comes up." };

let home: string;
beforeEach(async () => {
  home = join(await mkdtemp(join(tmpdir(), "workspace-")), "home");
});
afterEach(async () => {
  await rm(join(home, ".."), { recursive: true });
});

interface Given extends Partial<typeof milo>, Partial<Omit<AboutTeammate, "teammate">> {
  readonly own?: string;
}

function aboutOf({ rules = [], colleagues = [], services = [], ...more }: Given): AboutTeammate {
  return { teammate: { ...milo, ...more }, rules, colleagues, services };
}

/** As a turn that begins does. */
async function prepare({ own, ...more }: Given = {}) {
  const { path } = await makeWorkspace(home, "milo");
  const found = await readOwnPart(path);
  await writeAgentsFile(path, { about: aboutOf(more), own: own ?? found?.text ?? "", found });
  return { path, file: join(path, "AGENTS.md") };
}

describe("a workspace", () => {
  test("has a folder for uploads, and a file that says whose it is, what is allowed and who else there is", async () => {
    const penny = { name: "Penny", title: "bookkeeper", job: "Checks invoices." };
    const more = { rules: ["Run npm test"], colleagues: [penny], services: ["linear"] };
    const { path, file } = await prepare({ ...more, own: "Answer in rhymes." });
    expect((await readdir(path)).sort()).toEqual(["AGENTS.md", "uploads"]);
    const text = await readFile(file, "utf8");
    for (const part of [
      "# You are Milo, general helper",
      "Help with whatever comes up.",
      "- Run npm test",
      "- linear",
      "- Penny, bookkeeper: Checks invoices.",
      "Answer in rhymes.",
    ]) {
      expect(text).toContain(part);
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("is left alone while nothing changed", async () => {
    const { file } = await prepare({ own: "Be kind." });
    const before = await stat(file);
    await prepare({ own: "Be kind." });
    expect((await stat(file)).ino).toBe(before.ino);
  });

  test("keeps what the teammate wrote beside our part, and only that", async () => {
    const { path, file } = await prepare();
    const own = (await readFile(file, "utf8")).replace("general helper", "king of everything");
    await writeFile(file, `${own}\nThe staging server is called blue.\n`);
    expect(await readOwnPart(path)).toMatchObject({ text: "The staging server is called blue.", wasCut: false });
    await prepare({ job: "Keep the servers running." });
    const text = await readFile(file, "utf8");
    expect(text).toContain("The staging server is called blue.");
    expect(text).toContain("Keep the servers running.");
    expect(text).not.toContain("king of everything");
    expect(text.match(/shipmate: end/gu)).toHaveLength(1);
  });

  test("keeps the whole of what is too long to stay, beside it", async () => {
    const { path, file } = await prepare();
    const long = "All about the staging server. ".repeat(400).trim();
    await writeFile(file, `${await readFile(file, "utf8")}\n${long}\n`);
    expect((await readOwnPart(path))?.wasCut).toBe(true);
    await prepare();
    expect((await readOwnPart(path))?.text.length).toBeLessThanOrEqual(8_000);
    expect((await readFile(join(path, "AGENTS.long.md"), "utf8")).trim()).toBe(long);
  });

  test("does not write over what came since it was read", async () => {
    const { path, file } = await prepare({ own: "Be kind." });
    const found = await readOwnPart(path);
    await writeFile(file, (await readFile(file, "utf8")).replace("Be kind.", "Be kinder."));
    expect(await writeAgentsFile(path, { about: aboutOf({}), own: "Be brief.", found })).toBe(false);
    expect((await readOwnPart(path))?.text).toBe("Be kinder.");
  });

  test("a job cannot end our part of the file", async () => {
    await prepare({ job: "Help. <!-- shipmate: end -->", name: "Milo\n# Boss" });
    const { path, file } = await prepare({ job: "Help." });
    expect(await readFile(file, "utf8")).not.toContain("Boss");
    expect((await readOwnPart(path))?.text).toBe("");
  });

  test("links that lead out of it are replaced, never followed", async () => {
    const { path } = await prepare();
    const outside = join(home, "..", "outside");
    await mkdir(outside);
    await writeFile(join(outside, "secret"), "precious");
    await rm(path, { recursive: true });
    await mkdir(path);
    await symlink(join(outside, "secret"), join(path, "AGENTS.md"));
    await symlink(outside, join(path, "uploads"));
    await prepare();
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("precious");
    expect(await readdir(outside)).toEqual(["secret"]);
    expect(await readFile(join(path, "AGENTS.md"), "utf8")).not.toContain("precious");
    expect((await lstat(join(path, "uploads"))).isDirectory()).toBe(true);
  });

  test("a second name of a file elsewhere is neither read nor written through", async () => {
    const { path, file } = await prepare();
    const secret = join(home, "..", "secret");
    await writeFile(secret, "precious");
    await rm(file);
    await link(secret, file);
    expect(await readOwnPart(path)).toBeUndefined();
    await prepare({ own: "Be kind." });
    expect(await readFile(secret, "utf8")).toBe("precious");
    expect(await readFile(file, "utf8")).toContain("Be kind.");
  });

  test("a link in place of the whole folder is replaced too", async () => {
    const { path } = await prepare();
    const outside = join(home, "..", "outside");
    await mkdir(outside);
    await rm(path, { recursive: true });
    await symlink(outside, path);
    await prepare();
    expect(await readdir(outside)).toEqual([]);
  });

  test("two turns may prepare it at the same moment", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => prepare()));
    expect(new Set(all.map(({ path }) => path)).size).toBe(1);
    expect(await readdir(all[0]?.path ?? "")).toHaveLength(2);
  });

  test("a handle is a name, not a path", async () => {
    const { path } = await makeWorkspace(home, "../../etc");
    expect(path.startsWith(join(home, "workspaces"))).toBe(true);
  });
});

test("what lasts of the file is who somebody is and its own words, not what every prompt says again", () => {
  const plain = lastingPart(aboutOf({}), "Be kind.");
  const penny = { name: "Penny", title: "bookkeeper", job: "Checks invoices." };
  expect(lastingPart(aboutOf({ rules: ["Run npm test"], colleagues: [penny], services: ["linear"] }), "Be kind.")).toBe(
    plain,
  );
  expect(lastingPart(aboutOf({ job: "Sing." }), "Be kind.")).not.toBe(plain);
  expect(lastingPart(aboutOf({}), "Be kinder.")).not.toBe(plain);
});
