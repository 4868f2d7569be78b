import { createTerminalAdapter } from "../adapters/terminal/index.ts";
import type { ConnectionSpec } from "./app/index.ts";

/** Who sits at a terminal: `quit` resolves when they are done, `end` when nothing more can come from them. */
export interface Keyboard {
  readonly quit: Promise<void>;
  readonly end: Promise<void>;
}

/** The terminal this process was started in, and its keyboard. */
export function openTerminal(): { readonly connection: ConnectionSpec; readonly keyboard: Keyboard } {
  const quit = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const events = { onQuit: quit.resolve, onEnd: end.resolve };
  return {
    connection: { platform: "terminal", local: true, create: async (deps) => createTerminalAdapter(events, deps) },
    keyboard: { quit: quit.promise, end: end.promise },
  };
}
