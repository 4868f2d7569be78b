import { createTerminalAdapter } from "../adapters/terminal/index.ts";
import type { ConnectionSpec } from "./app/index.ts";

/** The terminal this process was started in. `onQuit` is called when the person there is done. */
export function terminalConnection(onQuit: () => void): ConnectionSpec {
  return { platform: "terminal", local: true, create: (deps) => createTerminalAdapter({ onQuit }, deps) };
}
