/**
 * The terminal: one person, one direct message. Lines become messages, commands and presses; posts become styled text.
 * Needs no account, so it is where a first conversation happens; also reads a pipe, line by line.
 */
import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import {
  type Adapter,
  type AdapterDeps,
  type Author,
  type Capabilities,
  closeOpenMarkdown,
  delivered,
  everywhere,
  failed,
  type Post,
  type Receipt,
} from "../../src/chat/index.ts";
import { createCards } from "./cards.ts";
import { openFile } from "./download.ts";
import { createForms } from "./forms.ts";
import { createHandover } from "./handover.ts";
import { type Input, type Keyboard, openKeyboard } from "./keyboard.ts";
import { changedLines, formLines, plainLine, renderPost } from "./message.ts";
import { renderMarkdown } from "./render.ts";
import { localId, place, stopCommand, understand } from "./said.ts";
import { createScreen, type Output } from "./screen.ts";
import { createPaint } from "./style.ts";
import { words } from "./words.ts";

export interface TerminalAdapterOptions {
  readonly input?: Input | undefined;
  readonly output?: Output | undefined;
  /** What the person here is called; the name of the account by default. */
  readonly personName?: string | undefined;
  /** For `NO_COLOR`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Ctrl-C twice, or Ctrl-D. By default this process gets SIGINT, which ends it in order. */
  readonly onQuit?: (() => void) | undefined;
  /** The pipe ended and everything in it was stored. By default nothing: the answer may still be on its way. */
  readonly onEnd?: (() => void) | undefined;
  /** How long to wait before an event that could not be stored is offered again. */
  readonly retryMs?: number | undefined;
}

const quitWithinMs = 2_000;
const fileInBytes = 100 * 1024 * 1024;

export function createTerminalAdapter(options: TerminalAdapterOptions, deps: AdapterDeps): Adapter {
  const { input = process.stdin, output = process.stdout, env = process.env } = options;
  const onQuit = options.onQuit ?? (() => void process.kill(process.pid, "SIGINT"));
  const interactive = input.isTTY === true && output.isTTY === true;
  const author: Author = { id: localId, name: options.personName ?? userInfo().username, isBot: false };
  const paint = createPaint(output.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb");
  const screen = createScreen(output);
  const cards = createCards();
  const handover = createHandover(options.retryMs ?? 500);
  const posts = new Map<string, Post>();
  let reading: Promise<void> = Promise.resolve();
  let keyboard: Keyboard | undefined;
  let interruptedAt = Number.NEGATIVE_INFINITY;

  // The reader of a pipe went away: nobody sees what we say.
  output.on("error", onQuit);

  const page = () => ({ width: screen.width(), paint });
  const remark = (text: string) => screen.print([paint("dim", plainLine(text))]);
  const forms = createForms({
    form: deps.form,
    handover,
    show: (form) => screen.print(formLines(form, page())),
    remark,
  });

  async function read(line: string): Promise<void> {
    if (forms.fillIn(line)) return;
    const said = understand(line, author, cards);
    if (said.kind === "event") handover.add(said.event);
    if (said.kind === "form") await forms.open(said.press);
    if (said.kind === "remark") remark(said.text);
  }

  // One line after another: what follows a press may be meant for its form.
  function onLine(line: string): void {
    reading = reading.then(() => read(line));
  }

  function onInterrupt(): void {
    if (forms.leave()) return;
    const now = performance.now();
    const again = now - interruptedAt < quitWithinMs;
    interruptedAt = now;
    if (again) {
      onQuit();
    } else {
      remark(words.quitHint);
      handover.add(stopCommand(author));
    }
  }

  function show(messageId: string, post: Post, lines: (numbered: ReturnType<typeof cards.set>) => string[]): Receipt {
    const numbered = cards.set(messageId, post);
    posts.set(messageId, post);
    screen.print(lines(numbered));
    return delivered(messageId);
  }

  return {
    platform: "terminal",
    capabilities: capabilities(interactive),

    async connect() {
      deps.onState("connected");
      return { botId: "terminal", name: "Shipmate", notes: interactive ? [words.hint] : [] };
    },

    async start(sink) {
      handover.start(sink);
      keyboard ??= openKeyboard(input, output, {
        onLine,
        onInterrupt,
        onEnd: () => {
          screen.attach(undefined);
          if (interactive) onQuit();
          else void reading.then(handover.settled).then(() => options.onEnd?.());
        },
      });
      if (interactive) screen.attach(keyboard.editor);
    },

    async stop() {
      screen.preview([]);
      screen.attach(undefined);
      keyboard?.close();
      keyboard = undefined;
      await handover.stop();
      deps.onState("stopped");
    },

    split: (post) => [post],

    async post(_address, post) {
      screen.preview([]);
      return show(randomUUID(), post, (numbered) => ["", ...renderPost(post, numbered, page())]);
    },

    // What scrolled by cannot be changed, so only what is new is said.
    async edit(_address, messageId, post) {
      const before = posts.get(messageId);
      if (before === undefined) return failed("gone", "not a message of ours");
      return show(messageId, post, (numbered) => changedLines(before, post, numbered, page()));
    },

    async upload(_address, file) {
      const caption = file.caption === undefined ? [] : renderMarkdown(file.caption, page());
      const name = plainLine(file.name);
      screen.print(["", ...caption, `📎 ${paint("bold", name)}  ${paint("dim", plainLine(file.path))}`]);
      return delivered(randomUUID());
    },

    ...(interactive &&
      ({
        async draft(_address, draftId, text) {
          const body = text.trim() === "" ? [] : renderMarkdown(closeOpenMarkdown(text), page());
          screen.preview(body.length === 0 ? [] : ["", ...body]);
          return delivered(`draft-${draftId}`);
        },
      } satisfies Pick<Adapter, "draft">)),

    async answer(_interaction, text) {
      if (text !== undefined) remark(text);
    },

    download: (file, signal) => openFile(file.id, fileInBytes, signal),
  };
}

/** The place a terminal is, for whoever wants to speak first. */
export const terminalAddress = { channel: place.channel };

function capabilities(interactive: boolean): Capabilities {
  return {
    progress: everywhere(interactive ? "draft" : "print"),
    progressIntervalMs: everywhere(100),
    postIntervalMs: everywhere(0),
    connectionIntervalMs: 0,
    limits: { fileInBytes, fileOutBytes: Number.MAX_SAFE_INTEGER, buttonLabel: 60 },
    idempotentPosts: false,
    persona: "line",
    privatePosts: false,
    forms: true,
  };
}
