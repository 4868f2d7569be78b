import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DownloadError } from "../../src/chat/index.ts";
import { fetchAttachments } from "../../src/runs/attachments.ts";
import { safeFileName } from "../../src/runs/attachments-name.ts";
import { silentLog } from "../../src/shared/index.ts";
import { wordsFor } from "../../src/words/index.ts";
import { type Seeded, type SeedFile, seededDatabase } from "./seed.ts";
import { standIn } from "./stand-in-adapter.ts";

let seeded: Seeded;
let scratch: string;
let workspace: string;
beforeAll(async () => {
  seeded = await seededDatabase();
});
afterAll(async () => {
  await seeded[Symbol.asyncDispose]();
});
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "attachments-"));
  workspace = join(scratch, "workspace");
  await mkdir(workspace);
});
afterEach(async () => {
  await rm(scratch, { recursive: true });
});

async function* pieces(...sizes: readonly number[]) {
  for (const size of sizes) yield new Uint8Array(size).fill(65);
}

async function setUp(text: string, files: readonly SeedFile[]) {
  const platform = standIn("edit");
  platform.download = async () => pieces(3);
  const messageId = await seeded.addMessage(text, files);
  const fetch = (more: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
    fetchAttachments({
      db: seeded.db,
      adapter: platform.adapter,
      messageIds: [messageId],
      workspace,
      words: wordsFor("en"),
      log: silentLog,
      signal: new AbortController().signal,
      ...more,
    });
  const rows = () =>
    seeded.db.selectFrom("attachments").selectAll().where("message_id", "=", messageId).orderBy("position").execute();
  return { platform, fetch, rows };
}
const uploads = async () => (await readdir(join(workspace, "uploads"))).sort();

describe("attachments", () => {
  test("are written into the workspace, and not fetched twice", async () => {
    const { platform, fetch, rows } = await setUp("Look", [{ name: "report.pdf" }]);
    const path = join(workspace, "uploads", "report.pdf");
    expect(await fetch()).toMatchObject([{ name: "report.pdf", path, size: 3 }]);
    expect(await readFile(path, "utf8")).toBe("AAA");
    expect(await rows()).toMatchObject([{ state: "stored", path, size: "3", problem: null }]);
    platform.download = async () => {
      throw new Error("asked again");
    };
    expect(await fetch()).toMatchObject([{ path }]);
  });

  test("of the same name do not overwrite each other", async () => {
    const { fetch } = await setUp("", [{ name: "photo.jpg" }, { name: "photo.jpg" }, { name: "photo.jpg" }]);
    const files = await fetch();
    expect(new Set(files.map((file) => file.path)).size).toBe(3);
    expect(await uploads()).toEqual(["photo-2.jpg", "photo-3.jpg", "photo.jpg"]);
  });

  test("F-09 too large to take: a sentence says so, and nothing is downloaded", async () => {
    const { platform, fetch, rows } = await setUp("See this", [{ name: "film.mp4", size: 60 * 1024 * 1024 }]);
    platform.download = async () => {
      throw new Error("downloaded");
    };
    Object.assign(platform.adapter.capabilities.limits, { fileInBytes: 20 * 1024 * 1024 });
    const problem = "That file is 60 MB; Telegram lets me take 20. I read your text.";
    expect(await fetch()).toMatchObject([{ name: "film.mp4", problem }]);
    expect(await rows()).toMatchObject([{ state: "skipped", problem }]);
  });

  test("F-09 a stream that never ends is cut off at the limit and leaves nothing behind", async () => {
    const { platform, fetch } = await setUp("", [{ name: "small.bin", size: 10 }]);
    let sent = 0;
    platform.download = async () =>
      (async function* () {
        for (;;) {
          sent += 400;
          yield new Uint8Array(400);
        }
      })();
    const [file] = await fetch();
    expect(file?.path).toBeUndefined();
    expect(file?.problem).toMatch(/^That file is larger than/u);
    expect(file?.problem).not.toContain("I read your text");
    expect(sent).toBeLessThan(3_000);
    expect(await uploads()).toEqual([]);
  });

  test("one that fails does not stop the others", async () => {
    const { platform, fetch } = await setUp("Three", [{ name: "a.txt" }, { name: "b.txt" }, { name: "c.txt" }]);
    platform.download = async ({ id }) => {
      if (id === "a.txt") throw new DownloadError("gone", "404");
      if (id === "b.txt") throw new Error("socket hang up");
      return pieces(1);
    };
    expect((await fetch()).map(({ problem }) => problem)).toEqual([
      "Telegram doesn't have that file any more. I read your text.",
      "I couldn't get that file from Telegram. Please send it again. I read your text.",
      undefined,
    ]);
  });

  test("one that breaks off half-way leaves nothing behind", async () => {
    const { platform, fetch } = await setUp("", [{ name: "a.txt" }]);
    platform.download = async () =>
      (async function* () {
        yield new Uint8Array(5);
        throw new Error("connection reset");
      })();
    expect((await fetch())[0]?.problem).toContain("couldn't get that file");
    expect(await uploads()).toEqual([]);
  });

  test("one that hangs is given up, also where the platform ignores the signal", async () => {
    const { platform, fetch } = await setUp("", [{ name: "a.txt" }, { name: "b.txt" }]);
    const never = new Promise<never>(() => {});
    platform.download = async ({ id }) => {
      if (id === "a.txt") return await never;
      return (async function* () {
        yield new Uint8Array(1);
        await never;
      })();
    };
    const problems = (await fetch({ timeoutMs: 50 })).map(({ problem }) => problem);
    expect(problems).toEqual(Array(2).fill("Telegram took too long to hand me that file. Please send it again."));
    expect(await uploads()).toEqual([]);
  });

  test("are fetched again after a stop: what was stopped did not fail", async () => {
    const { platform, fetch, rows } = await setUp("", [{ name: "a.txt" }]);
    const stop = new AbortController();
    platform.download = async (_file, signal) => {
      stop.abort();
      await sleep(60_000, undefined, { signal });
      return pieces(1);
    };
    expect((await fetch({ signal: stop.signal }))[0]?.path).toBeUndefined();
    expect(await rows()).toMatchObject([{ state: "pending" }]);
    platform.download = async () => pieces(1);
    expect((await fetch())[0]?.path).toBe(join(workspace, "uploads", "a.txt"));
  });

  test("beyond ten are left out by name", async () => {
    const { fetch } = await setUp(
      "",
      Array.from({ length: 12 }, (_, n) => ({ name: `${n}.txt` })),
    );
    const files = await fetch();
    expect(files.filter((file) => file.path !== undefined)).toHaveLength(10);
    expect(files.slice(10).map(({ name, problem }) => [name, problem])).toEqual([
      ["10.txt", "I take 10 files at a time and left this one out."],
      ["11.txt", "I take 10 files at a time and left this one out."],
    ]);
  });

  test.each([
    "../../escape.txt",
    "/etc/cron.d/evil",
    "..\\..\\evil.exe",
    "..",
    ".bashrc",
    "a/../../b",
    "\u202Egpj.exe",
    "",
  ])("a name like %j stays in the uploads folder", async (name) => {
    const { fetch } = await setUp("", [{ name, fileId: "x" }]);
    const [file] = await fetch();
    expect(file?.path).toBe(join(workspace, "uploads", basename(file?.path ?? "")));
    expect(await readdir(scratch)).toEqual(["workspace"]);
    expect(await readdir(workspace)).toEqual(["uploads"]);
  });

  test("a link in place of the uploads folder leads nowhere", async () => {
    const outside = join(scratch, "outside");
    await mkdir(outside);
    await symlink(outside, join(workspace, "uploads"));
    const { fetch } = await setUp("", [{ name: "a.txt" }]);
    expect((await fetch())[0]?.path).toBe(join(workspace, "uploads", "a.txt"));
    expect(await readdir(outside)).toEqual([]);
  });

  test("a link in place of a file is not written through", async () => {
    const secret = join(scratch, "secret.txt");
    await writeFile(secret, "precious");
    await mkdir(join(workspace, "uploads"));
    await symlink(secret, join(workspace, "uploads", "a.txt"));
    const { fetch } = await setUp("", [{ name: "a.txt" }]);
    expect((await fetch())[0]?.path).toBe(join(workspace, "uploads", "a-2.txt"));
    expect(await readFile(secret, "utf8")).toBe("precious");
  });
});

test("whatever a file is called, its safe name is one plain segment that a disk takes", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.webPath(), fc.string({ unit: "grapheme" })),
      (name) => {
        const safe = safeFileName(name);
        expect(safe).not.toMatch(/[/\\\0\p{Cc}]|^\.|^-|[. ]$/u);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(220);
        expect(safe.length).toBeGreaterThan(0);
        expect(safe.isWellFormed()).toBe(true);
        expect(safeFileName(safe)).toBe(safe);
      },
    ),
  );
});
