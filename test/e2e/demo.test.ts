import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** `npm run demo` with a pipe for a keyboard, as one run: what is said in one test is there in the next. */
describe("the demo, without an account and without a terminal", () => {
  let demo: ChildProcessWithoutNullStreams;
  let home: string;
  let output = "";
  /** Where the part begins that the current step wrote. */
  let from = 0;

  beforeAll(async () => {
    await mkdir(`${root}.shipmate-test`, { recursive: true });
    home = await mkdtemp(`${root}.shipmate-test/demo-`);
    demo = spawn(process.execPath, [`${root}demo/main.ts`], {
      cwd: home,
      env: { PATH: process.env.PATH, LANG: process.env.LANG, HOME: home, SHIPMATE_HOME: home },
    });
    demo.stdout.on("data", (chunk) => (output += String(chunk)));
    demo.stderr.on("data", (chunk) => (output += String(chunk)));
  });
  afterAll(async () => {
    if (demo.exitCode === null && demo.signalCode === null) {
      demo.kill("SIGKILL");
      await once(demo, "exit");
    }
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const type = (line: string) => {
    from = output.length;
    demo.stdin.write(`${line}\n`);
  };
  const reads = (pattern: RegExp) =>
    vi.waitFor(
      () => {
        const match = pattern.exec(output.slice(from));
        if (match === null) throw new Error(`not yet ${pattern}:\n${output.slice(from)}`);
        return match;
      },
      { timeout: 40_000, interval: 50 },
    );

  it("greets, and answers what was typed while it still started: that no model is behind it", async () => {
    type("hello");
    await reads(/Starting the demo: real Codex, real database, and an offline script in place of the model/);
    await reads(/Say hello to Milo/);
    await reads(/not a real model[\s\S]*run a command[\s\S]*write me a note[\s\S]*take your time/);
    expect(output).not.toContain("isn't set up yet");
  });

  it("asks before it runs a command, and shows what it printed", async () => {
    type("run a command");
    const [, approve] = await reads(/(\d+)[.)\]: ]+Approve/);
    type(approve ?? "");
    await reads(/Approved by/);
    await reads(/It printed:[\s\S]*Linux|It printed:[\s\S]*Darwin/);
  });

  it("hands a file over by its path", async () => {
    type("write me a note");
    await reads(/Here is your note/);
    const [, path] = await reads(/(\/\S+note-\d+\.md)/);
    expect(await readFile(path ?? "", "utf8")).toContain("# A note from the demo");
  });

  it("can be stopped in the middle of its work", async () => {
    type("take your time");
    await reads(/echo Reading/);
    type("stop");
    await reads(/Stopp(?:ed|ing)/);
    await reads(/Stopped by|stopped by/);
  });

  it("ends with its input, without a trace of an error", async () => {
    from = output.length;
    demo.stdin.end();
    const [code] = await once(demo, "exit");
    expect(code).toBe(0);
    expect(output).not.toMatch(/Error|at .+\.ts:\d+/);
  });
});
