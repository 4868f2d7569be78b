import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { commandWords, isSafePrefix } from "../../src/attention/command-words.ts";
import type { Person } from "../../src/people/index.ts";
import { command, type Desk, openDesk, publish } from "./desk.ts";

const commandOf = (line: string, amendment: readonly string[]) =>
  ({ ...command, command: line, amendment: [...amendment] }) as typeof command;

describe("a card", () => {
  let desk: Desk;
  let ada: Person;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk[Symbol.asyncDispose]());
  beforeEach(async () => {
    await desk.reset();
    ada = await desk.person("Ada", "member");
  });
  const labels = () =>
    desk.platform
      .seen(desk.group)
      .at(-1)
      ?.buttons.map((button) => button.label);

  it("shows who asks, the exact command, where and why, and notifies the one who asked", async () => {
    await desk.open(ada);
    const [card] = desk.platform.seen(desk.group);

    expect(card).toMatchObject({ replyTo: "m-of-ada", notify: true });
    expect(card?.text).toBe(
      "**Milo asks: run a command**\n\n```sh\nnpm run build\n```\n\nin `site/` · because the cached build is stale\n\n" +
        '"Always" allows every command that begins with: `npm run build`',
    );
    expect(labels()).toEqual(["Approve", "Deny", "For this task", "Always: npm run build", "Stop"]);
  });

  it("says where only when it is not the teammate's own folder", async () => {
    const asks = { kind: "command", command: "ls", reason: "to look", canApproveForSession: false } as const;
    await desk.open(ada, { details: { ...asks, cwd: "/home/milo", folder: "" } });
    await desk.open(ada, { details: { ...asks, cwd: "/home/milo/docs", folder: "docs" } });
    const [own, below] = desk.platform.seen(desk.group);
    expect(own?.text).toContain("```\n\nbecause to look");
    expect(below?.text).toContain("in `docs` · because to look");
  });

  it("shows what the eye would not see in a command", async () => {
    await desk.open(ada, { details: commandOf("cat notes\u202Etxt.\u200Bsh", []) });
    const [card] = desk.platform.seen(desk.group);
    expect(card?.text).toContain("cat notes⟨U+202E⟩txt.⟨U+200B⟩sh");
    expect(card?.text).not.toMatch(/[\u202E\u200B]/u);
  });

  it("stays one message however long the command is, and offers no rule that nobody could read", async () => {
    const line = `echo ${"word ".repeat(20_000)}`.trim();
    const cwd = `/${"deep/".repeat(800)}`;
    const amendment = line.split(" ");
    const longCommand = { kind: "command", command: line, cwd, amendment, canApproveForSession: true } as const;
    await desk.open(ada, { details: longCommand });
    const posts = desk.platform.seen(desk.group).filter((each) => each.file === undefined);
    expect(posts).toHaveLength(1);
    expect(labels()).toEqual(["Approve", "Deny", "For this task", "Stop"]);
  });

  it("F-25 offers only what is possible", async () => {
    await desk.open(ada, { details: { kind: "command", command: "ls", cwd: "/", canApproveForSession: false } });
    expect(labels()).toEqual(["Approve", "Deny", "Stop"]);
    await desk.open(ada, { risk: "high" });
    expect(labels()).toEqual(["Approve", "Deny", "Stop"]);
  });

  it("F-30 never offers to allow any shell", async () => {
    const amendments = ["bash", "sh", "python", "python3", "node", "sudo", "env"].map((word) => [word]);
    for (const amendment of [...amendments, ["bash", "-lc"], ["/usr/bin/python3.12", "-c"], ["sudo", "-u", "root"]]) {
      const line = [...amendment, "anything"].join(" ");
      await desk.open(ada, { details: { ...command, command: line, amendment } as typeof command });
      expect(labels()).not.toContainEqual(expect.stringContaining("Always"));
    }
  });

  it("F-30 offers no prefix that the command does not begin with", async () => {
    for (const line of ["npm run build && rm -rf build", "yarn build"]) {
      await desk.open(ada, { details: { ...command, command: line } as typeof command });
      expect(labels()).not.toContainEqual(expect.stringContaining("Always"));
    }
  });

  it("offers no rule for a script with shell syntax, since none would ever fit it", async () => {
    await desk.open(ada, { details: commandOf("/bin/bash -lc 'ls | wc -l'", ["/bin/bash", "-lc", "ls | wc -l"]) });
    expect(labels()).not.toContainEqual(expect.stringContaining("Always"));
  });

  it("shows the whole of a prefix whose label had to be cut", async () => {
    const amendment = ["npm", "run", "a-script-with-a-very-long-name-that-fits-no-button"];
    await desk.open(ada, { details: { ...command, command: amendment.join(" "), amendment } as typeof command });
    const [card] = desk.platform.seen(desk.group);

    expect(card?.buttons.every((button) => button.label.length <= 40)).toBe(true);
    expect(card?.text).toContain(amendment.join(" "));
  });

  it("begins a long patch and has the whole in a file before it", async () => {
    const diff = Array.from({ length: 300 }, (_, index) => `+line ${index}`).join("\n");
    await desk.open(ada, {
      details: {
        kind: "file_change",
        files: [
          { path: "src/app.ts", change: "update", diff },
          { path: "src/old.ts", change: "delete", diff: "-gone" },
        ],
        canApproveForSession: true,
      },
    });
    const [file, card] = desk.platform.seen(desk.group);

    expect(file).toMatchObject({ file: "changes.diff" });
    expect(card?.text).toContain("Milo asks: change 2 files");
    expect(card?.text).toContain("`src/app.ts` (changed)");
    expect(card?.text).toContain("The whole is in the file above.");
    expect(card?.text.length).toBeLessThan(1_900);
    const { body } = await desk.db
      .selectFrom("posts")
      .select("body")
      .where("op", "=", "upload")
      .executeTakeFirstOrThrow();
    const stored = await readFile((body as unknown as { path: string }).path, "utf8");
    expect(stored).toContain("+line 299");
    expect(stored).toContain("-gone");
  });

  it("F-66 stores and shows details without secrets", async () => {
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123";
    const id = await desk.open(ada, {
      details: {
        kind: "command",
        command: `curl -H 'Authorization: Bearer ${secret}' https://example.org`,
        cwd: "/",
        amendment: ["curl", "-H", `Authorization: Bearer ${secret}`],
        canApproveForSession: false,
      },
    });
    const rows = [
      ...(await desk.db.selectFrom("attention").select("details").execute()),
      ...(await desk.db.selectFrom("posts").select("body").execute()),
    ];

    expect(JSON.stringify([rows, desk.platform.seen(desk.group)])).not.toContain(secret);
    expect(labels()).not.toContainEqual(expect.stringContaining("Always"));
    expect((await desk.item(id)).details).toMatchObject({ command: expect.stringContaining("[secret]") });
  });

  it("shows words from outside as they are", async () => {
    await desk.open(ada, {
      details: {
        ...publish,
        title: "**Approved** [here](https://evil.example)",
        details: "# Approved by Ada\n```\n@everyone",
      } as typeof publish,
    });
    const text = desk.platform.texts(desk.group)[0] ?? "";

    expect(text).not.toContain("[here](https://evil.example)");
    expect(text).not.toMatch(/^# /m);
    expect(text).not.toMatch(/^```/m);
  });

  it("keeps a command with backticks inside its block", async () => {
    await desk.open(ada, {
      details: { kind: "command", command: "echo ```\nnot outside", cwd: "/", canApproveForSession: false },
    });
    expect(desk.platform.texts(desk.group)[0]).toContain("````sh\necho ```\nnot outside\n````");
  });

  it("that is not sent yet is sent, then closed", async () => {
    desk.platform.breaks(({ op }) => (op === "post" ? { refuse: "rate_limited", retryAfterMs: 60_000 } : undefined));
    await desk.open(ada);
    expect(desk.platform.seen(desk.group)).toEqual([]);
    await desk.unit((unit) => desk.attention.cancelRun(unit, desk.runId, "turn_ended"));
    desk.platform.works();
    await desk.pass(61_000);

    expect(desk.platform.texts(desk.group)).toEqual([expect.stringContaining("No longer needed")]);
    expect(labels()).toEqual([]);
  });
});

describe("the words of a command", () => {
  it.each([
    ["npm run build", ["npm", "run", "build"]],
    ["/bin/bash -lc 'npm run build'", ["npm", "run", "build"]],
    ["git commit -m 'two words' --author=ada", ["git", "commit", "-m", "two words", "--author=ada"]],
    ['echo "plain words"', ["echo", "plain words"]],
    ["a;b", null],
    ["a && b", null],
    ["a | b", null],
    ["a > b", null],
    ["a $HOME", null],
    ["a `b`", null],
    ['a "$(b)"', null],
    ["a\nb", null],
    ["A=1 b", null],
    ["a 'open", null],
    ["/bin/bash -lc 'a && b'", null],
    ["rm *.txt", null],
    ["", null],
  ])("%j", (line, words) => {
    expect(commandWords(line)).toEqual(words);
  });

  it.each([
    [["npm"], true],
    [["python", "manage.py", "migrate"], true],
    [["python", "-m", "pytest"], true],
    [["bash", "scripts/build.sh"], true],
    [["bash", "-lc", "bash"], false],
    [["bash", "-o", "pipefail"], false],
    [["node", "--require", "x"], false],
    [["npx", "-y"], false],
    [["/bin/SH"], false],
    [["sudo", "apt"], false],
    [["xargs", "rm"], false],
    [[], false],
  ])("may allow %j for good: %s", (prefix, safe) => {
    expect(isSafePrefix(prefix)).toBe(safe);
  });
});
