import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createTerminalAdapter, terminalAddress } from "../../adapters/terminal/index.ts";
import type { Adapter, AdapterDeps, Receipt } from "../../src/chat/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";
import { adapterContract, type Shown, type Stage } from "./adapter.contract.ts";

/** A person at a pipe: what they type goes in line by line, and everything that was printed stays. */
async function createStage(overrides: Partial<AdapterDeps>): Promise<Stage> {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: "utf8" });
  const folder = await mkdtemp(join(tmpdir(), "shipmate-terminal-"));
  let printed = "";
  let formsFrom = 0;
  output.on("data", (text: string) => {
    printed += text;
  });
  const deps = adapterDeps(overrides);
  const made = createTerminalAdapter({ input, output, env: {}, personName: "Ada", retryMs: 5 }, deps);
  await made.connect();

  // A terminal has no messages to look up, so what each call printed is kept beside the id its receipt gave.
  const seen = new Map<string, Shown>();
  const printedBy = async (call: () => Promise<Receipt | undefined>): Promise<Receipt> => {
    const before = printed.length;
    const receipt = await call();
    if (receipt?.outcome !== "delivered") throw new Error("the terminal takes everything");
    const added = printed.slice(before);
    const text = added.replace(/^\[\d+\] .*$/gmu, "");
    const buttons = [...added.matchAll(/\[\d+\] (\S.*?)(?= {3}\[|$)/gmu)].map((match) => match[1] ?? "");
    const links = [...added.matchAll(/^(.+): (https?:\S+)$/gmu)].map(([, label = "", url = ""]) => ({ label, url }));
    const path = /^📎 (\S+) {2}(\S+)$/mu.exec(added);
    const file = path && { name: path[1] ?? "", bytes: await readFile(path[2] ?? "") };
    const earlier = seen.get(receipt.messageId)?.text ?? "";
    seen.set(receipt.messageId, {
      id: receipt.messageId,
      text: earlier + text,
      buttons,
      links,
      file: file ?? undefined,
    });
    return receipt;
  };
  const adapter: Adapter = {
    ...made,
    post: (...args) => printedBy(() => made.post(...args)),
    edit: (...args) => printedBy(async () => made.edit?.(...args)),
    upload: (...args) => printedBy(async () => made.upload?.(...args)),
  };
  const type = async (line: string) => void input.write(`${line}\n`);
  const press = async (label: string) => {
    const number = new RegExp(`\\[(\\d+)\\] ${label}`, "u").exec(printed)?.[1];
    await type(number ?? `no button ${label}`);
  };
  return {
    adapter,
    place: terminalAddress,
    ada: "local",
    shown: async () => [...seen.values()],
    say: type,
    command: (name, argument) => type(`/${name} ${argument}`),
    press,
    choose: press,
    form: async () => {
      const open = /^(.+)\n(.+?)(?: \(now: (.+)\))?\nType it and press Enter\./mu.exec(printed.slice(formsFrom));
      return open === null ? undefined : { title: open[1] ?? "", label: open[2] ?? "", value: open[3] ?? "" };
    },
    submit: async (value) => {
      formsFrom = printed.length;
      await type(value);
    },
    answers: async () => printed.split("\n").filter((line) => line !== ""),
    sendFile: async (name, bytes, text) => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      await type(`/file ${path} ${text}`);
    },
    faults: {},
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

adapterContract("terminal", {
  create: createStage,
  lacks: [
    "change",
    "takeBack",
    "reactions",
    "lastSaid",
    "rateLimit",
    "serverError",
    "loseResponse",
    "gone",
    "rejectFormatting",
    "reject",
    "remove",
    "removeByButton",
    "status",
    "pings",
    "shared",
    "replies",
    "threads",
    "ownThreads",
    "history",
    "privatePosts",
    "idempotentPosts",
    "home",
    "suggestions",
    "catchUp",
  ],
});
