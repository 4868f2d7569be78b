import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSeal } from "../../src/shared/index.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "seal-"));
});
afterEach(() => rm(home, { recursive: true }));

test("what was sealed is read again, also by another process on the same folder", async () => {
  const sealed = (await openSeal(home)).close("sk-a-key-that-pays ü");
  expect(sealed.toString("latin1")).not.toContain("pays");
  expect((await openSeal(home)).open(sealed)).toBe("sk-a-key-that-pays ü");
});

test("two who start at once agree on one key, which only its owner can read", async () => {
  const [one, other] = await Promise.all([openSeal(home), openSeal(home)]);
  expect(other.open(one.close("hello"))).toBe("hello");
  expect((await stat(join(home, "secrets.key"))).mode & 0o077).toBe(0);
});

test("a changed text or another folder's key opens nothing", async () => {
  const seal = await openSeal(home);
  const sealed = seal.close("hello");
  sealed[15] = (sealed[15] ?? 0) ^ 1;
  expect(() => seal.open(sealed)).toThrow();
  const key = await readFile(join(home, "secrets.key"), "utf8");
  await writeFile(join(home, "secrets.key"), key.replace(/./gu, "0"));
  const another = await openSeal(home);
  expect(() => another.open(seal.close("hello"))).toThrow();
});

test("a damaged key says which file it is", async () => {
  await writeFile(join(home, "secrets.key"), "abc");
  await expect(openSeal(home)).rejects.toThrow(/secrets\.key is damaged/u);
});
