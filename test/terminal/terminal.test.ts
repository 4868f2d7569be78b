import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createTerminalAdapter, terminalAddress } from "../../adapters/terminal/index.ts";
import type { Adapter, AdapterDeps, Form, InboundEvent, Post } from "../../src/chat/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";

interface Person {
  readonly adapter: Adapter;
  readonly events: InboundEvent[];
  readonly input: PassThrough;
  /** All that was written, with control sequences. */
  readonly written: () => string;
  readonly quits: () => number;
  readonly ended: () => boolean;
}

const open: Adapter[] = [];
afterEach(async () => {
  for (const adapter of open.splice(0)) await adapter.stop();
});

/** Someone at a terminal (or at a pipe), with the adapter receiving. */
async function sit(options: {
  tty: boolean;
  env?: Record<string, string>;
  columns?: number;
  form?: AdapterDeps["form"];
}): Promise<Person> {
  const screen = { isTTY: options.tty, columns: options.columns ?? 80, rows: 24 };
  const input = Object.assign(new PassThrough(), { isTTY: options.tty, setRawMode: () => {} });
  const output = Object.assign(new PassThrough({ encoding: "utf8" }), screen);
  let written = "";
  let quits = 0;
  let ended = false;
  output.on("data", (text: string) => {
    written += text;
  });
  const adapter = createTerminalAdapter(
    {
      input,
      output,
      env: options.env ?? {},
      personName: "Ada",
      onQuit: () => {
        quits += 1;
      },
      onEnd: () => {
        ended = true;
      },
    },
    adapterDeps(options.form === undefined ? {} : { form: options.form }),
  );
  const events: InboundEvent[] = [];
  await adapter.connect();
  await adapter.start(async (event) => void events.push(event));
  open.push(adapter);
  return { adapter, events, input, written: () => written, quits: () => quits, ended: () => ended };
}

const says = (text: string, more: Partial<Post> = {}): Post => ({ text, notify: true, ...more });
const withoutStyles = (text: string) => text.replaceAll(new RegExp(`${esc}\\[[0-9;]*m`, "gu"), "");
const esc = "\u001b";

describe("at a terminal", () => {
  test("a pasted text of many lines is one message", async () => {
    const { input, events } = await sit({ tty: true });
    input.write(`${esc}[200~first\r  second\n${esc}[20`);
    input.write("1~ and typed\r");
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "message", text: "first\n  second\n and typed" });
  });

  test("a long command that no file could be called is a command", async () => {
    const { input, events } = await sit({ tty: true });
    const question = "why ".repeat(1_500).trim();
    input.write(`/ask milo ${question}\r`);
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "command", name: "ask", argument: `milo ${question}` });
  });

  test("a paste of 5,000 lines arrives as one message", async () => {
    const { input, events } = await sit({ tty: true });
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
    input.write(`${esc}[200~${lines.join("\r")}${esc}[201~\r`);
    await vi.waitFor(() => expect(events).toHaveLength(1), 20_000);
    expect(events[0]).toMatchObject({ kind: "message", text: lines.join("\n") });
  });

  test("Ctrl-C once stops what runs, twice quits", async () => {
    const { input, events, quits, written } = await sit({ tty: true });
    input.write("\u0003");
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "command", name: "stop" });
    expect(written()).toContain("Press Ctrl-C again to quit.");
    expect(quits()).toBe(0);
    input.write("\u0003");
    await vi.waitFor(() => expect(quits()).toBe(1));
    expect(events).toHaveLength(1);
  });

  test("Ctrl-C takes back what is being typed, first", async () => {
    const { input, events } = await sit({ tty: true });
    input.write("never sent\u0003sent\r");
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ text: "sent" });
  });

  test("Ctrl-D quits", async () => {
    const { adapter, input, quits, written } = await sit({ tty: true });
    input.write("\u0004");
    await vi.waitFor(() => expect(quits()).toBe(1));
    await adapter.post(terminalAddress, says("a last word"), "k");
    expect(written()).toContain("a last word");
  });

  test("a preview is redrawn in place and makes room for the answer", async () => {
    const { adapter, written } = await sit({ tty: true });
    await adapter.draft?.(terminalAddress, 1, "One");
    const first = written().length;
    await adapter.draft?.(terminalAddress, 1, "One **two");
    const second = written().slice(first);
    expect(second).toContain(`${esc}[2A`);
    expect(withoutStyles(second)).toContain("One two");
    const before = written().length;
    await adapter.post(terminalAddress, says("One two three."), "k");
    expect(written().slice(before)).toContain(`${esc}[2A`);
    expect(withoutStyles(written().slice(before))).toContain("One two three.");
  });

  test("colours are left out where NO_COLOR asks for it", async () => {
    const post = says("**bold** `code`", { persona: { name: "Milo" }, footer: "Milo · 3 s" });
    const colored = await sit({ tty: true });
    await colored.adapter.post(terminalAddress, post, "k");
    expect(colored.written()).toContain(`${esc}[1mbold`);
    const plain = await sit({ tty: true, env: { NO_COLOR: "1" } });
    await plain.adapter.post(terminalAddress, post, "k");
    expect(plain.written()).toBe(withoutStyles(plain.written()));
  });

  test("nothing in a post can act on the terminal", async () => {
    const { adapter, written } = await sit({ tty: false });
    const evil = `${esc}]0;owned\u0007${esc}[2J\u009b31m&#27;[2J`;
    const button = { label: `OK${evil}`, token: "t" };
    await adapter.post(
      terminalAddress,
      says(evil, { persona: { name: evil }, footer: evil, buttons: [[button]] }),
      "k",
    );
    await adapter.upload?.(terminalAddress, { path: `/tmp/${evil}`, name: evil, caption: evil }, "k");
    await adapter.answer?.({ id: "i" }, evil);
    expect(written().replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  test("a narrow window gets a wide table row by row", async () => {
    const { adapter, written } = await sit({ tty: false, columns: 30 });
    const cells = "some rather long cell";
    await adapter.post(terminalAddress, says(`| Name | Note |\n|-|-|\n| ${cells} | ${cells} |`), "k");
    expect(written()).toContain("Name: some rather long cell\nNote: some rather long cell");
  });
});

describe("what a line means", () => {
  test("a number presses the button that shows it, also with several cards open", async () => {
    const { adapter, input, events, written } = await sit({ tty: false });
    const card = (name: string) => says(name, { buttons: [[{ label: `Yes to ${name}`, token: `yes-${name}` }]] });
    const first = await adapter.post(terminalAddress, card("first"), "a");
    await adapter.post(terminalAddress, card("second"), "b");
    expect(written()).toContain("[1] Yes to first");
    expect(written()).toContain("[2] Yes to second");
    input.write("2\n1\n7\n");
    await vi.waitFor(() => expect(events).toHaveLength(3));
    expect(events).toMatchObject([{ token: "yes-second" }, { token: "yes-first" }, { kind: "message", text: "7" }]);
    await adapter.edit?.(terminalAddress, first.outcome === "delivered" ? first.messageId : "", says("first\n\nDone"));
    input.write("1\n");
    await vi.waitFor(() => expect(events).toHaveLength(4));
    expect(events[3]).toMatchObject({ kind: "message", text: "1" });
  });

  test("a list is shown one option a line, numbered on from what is open", async () => {
    const { adapter, input, events, written } = await sit({ tty: false });
    await adapter.post(terminalAddress, says("first", { buttons: [[{ label: "Yes", token: "y" }]] }), "a");
    const options = [
      { label: "Milo", token: "m", description: "Software", current: true },
      { label: "Penny", token: "p" },
    ];
    const buttons = [[{ label: "Close", token: "c" }]];
    await adapter.post(
      terminalAddress,
      says("Change it?", { selects: [{ label: "Who answers", options }], buttons }),
      "b",
    );
    expect(written()).toContain("Change it?\nWho answers:\n[2] Milo ✓  Software\n[3] Penny\n[4] Close\n");
    input.write("3\n4\n");
    await vi.waitFor(() => expect(events).toHaveLength(2));
    expect(events).toMatchObject([{ token: "p" }, { token: "c" }]);
  });

  test("a list that says something else than before is shown again", async () => {
    const { adapter, written } = await sit({ tty: false });
    const card = (current: boolean) =>
      says("Who?", { selects: [{ label: "Who", options: [{ label: "Milo", token: "m", current }] }] });
    const receipt = await adapter.post(terminalAddress, card(false), "a");
    const before = written().length;
    await adapter.edit?.(terminalAddress, receipt.outcome === "delivered" ? receipt.messageId : "", card(true));
    expect(written().slice(before)).toBe("Who:\n[1] Milo ✓\n");
  });

  test("a file is taken from a path that was dropped or named, and a wrong path is said", async () => {
    const { input, events, written } = await sit({ tty: false });
    const folder = await mkdtemp(join(tmpdir(), "shipmate terminal "));
    const path = join(folder, "a chart.png");
    await writeFile(path, "png");
    input.write(`${path.replaceAll(" ", "\\ ")}\n'${path}'\nfile://${encodeURI(path)}\n/file "${path}" see this\n`);
    input.write("/file nowhere.txt\n/file\n");
    await vi.waitFor(() => expect(events).toHaveLength(4));
    for (const event of events) {
      expect(event).toMatchObject({
        kind: "message",
        files: [{ id: path, name: "a chart.png", kind: "photo", size: 3 }],
      });
    }
    expect(events.map((event) => event.kind === "message" && event.text)).toEqual(["", "", "", "see this"]);
    await vi.waitFor(() => expect(written()).toContain("/file PATH"));
    expect(written()).toContain("I can't find a file at nowhere.txt.");
    await rm(folder, { recursive: true });
  });

  test("a pipe is read line by line to its end", async () => {
    const { input, events, ended, written } = await sit({ tty: false });
    input.end("first\n\nsecond");
    await vi.waitFor(() => expect(ended()).toBe(true));
    expect(events.map((event) => event.kind === "message" && event.text)).toEqual(["first", "second"]);
    expect(written()).toBe("");
  });
});

describe("a form", () => {
  const rule: Form = { title: "Change the rule", label: "Allowed", value: "npm test", long: false, required: true };
  const card = says("A rule", { buttons: [[{ label: "Change", token: "t", opensForm: true }]] });

  test("takes the next line, whatever is in it, and only that one", async () => {
    const { adapter, input, events, written } = await sit({ tty: false, form: async () => rule });
    await adapter.post(terminalAddress, card, "k");
    input.write("1\n/new 1\n/new\n");
    await vi.waitFor(() => expect(events).toHaveLength(2));
    expect(events).toMatchObject([{ kind: "form", token: "t", value: "/new 1" }, { kind: "command" }]);
    expect(written()).toContain("\nChange the rule\nAllowed (now: npm test)\nType it and press Enter.");
  });

  test("is left by an empty line, and by Ctrl-C without stopping anything", async () => {
    const { adapter, input, events, written, quits } = await sit({ tty: true, form: async () => rule });
    await adapter.post(terminalAddress, card, "k");
    for (const key of ["\r", "\u0003"]) {
      const before = written().length;
      input.write("1\r");
      await vi.waitFor(() => expect(written().slice(before)).toContain("Change the rule"));
      input.write(key);
      await vi.waitFor(() => expect(written().slice(before)).toContain("Left as it is."));
    }
    input.write("hello\r");
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "message", text: "hello" });
    expect(quits()).toBe(0);
  });

  test("shows a long text as it stands, and takes a pasted one", async () => {
    const form = async () => ({ ...rule, value: "Be brief.\n\u001b[2JBe kind.", long: true });
    const { adapter, input, events, written } = await sit({ tty: true, env: { NO_COLOR: "1" }, form });
    await adapter.post(terminalAddress, card, "k");
    input.write("1\r");
    await vi.waitFor(() => expect(written()).toContain("Allowed\n  Be brief.\n  [2JBe kind.\n"));
    input.write(`${esc}[200~Be\rnew${esc}[201~\r`);
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "form", value: "Be\nnew" });
  });

  test.each([
    ["cannot be had", () => Promise.reject(new Error("the database is away"))],
    ["does not come in time", () => new Promise<undefined>(() => {})],
  ])("that %s leaves an ordinary press", async (_why, form) => {
    const { adapter, input, events } = await sit({ tty: false, form });
    await adapter.post(terminalAddress, card, "k");
    input.write("1\nhello\n");
    await vi.waitFor(() => expect(events).toHaveLength(2), 10_000);
    expect(events).toMatchObject([
      { kind: "button", token: "t" },
      { kind: "message", text: "hello" },
    ]);
  });
});
