import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { platforms } from "./platforms.ts";

/**
 * Answers as a model writes them, and what becomes of them on each platform. The files are read by people: after a change
 * in a renderer, `npx vitest run test/golden -u` writes them anew, and the difference shows what it did.
 */
const folder = import.meta.dirname;
const names = readdirSync(join(folder, "answers")).map((file) => file.replace(/\.md$/u, ""));
const seam = `\n${"═".repeat(24)} next message ${"═".repeat(24)}\n`;

describe.each(Object.entries(platforms))("an answer on %s", (platform, render) => {
  test.each(names)("%s looks as it did", async (name) => {
    const text = readFileSync(join(folder, "answers", `${name}.md`), "utf8");
    const parts = render({ text, persona: { name: "Milo" }, footer: "Milo · 12 s", notify: true });
    await expect(`${parts.join(seam)}\n`).toMatchFileSnapshot(join(folder, platform, `${name}.txt`));
  });

  test("has a file for each answer and no other", () => {
    expect(readdirSync(join(folder, platform)).sort()).toEqual(names.map((name) => `${name}.txt`).sort());
  });
});
