import { type App, type AppOptions, startApp } from "../app/index.ts";
import type { Keyboard } from "../terminal.ts";
import { wordsFor } from "../words/index.ts";

/** Exit codes: 0 ended as told, 1 could not start, 130 cut off by a second signal. */
const cutOff = 130;

/**
 * Starts the app and resolves when it has ended: by SIGINT or SIGTERM (the first one drains, a second one ends at once),
 * when the person at the keyboard is done, or when all they had piped in was worked on.
 */
export async function runUntilTold(options: AppOptions, keyboard?: Keyboard): Promise<void> {
  const words = wordsFor(undefined).start;
  const signal = nextSignal();
  const app = await Promise.race([startApp(options), signal.then(() => undefined)]);
  if (app === undefined) process.exit(cutOff);
  announce(app, options);
  const told = Promise.race([signal, ...(keyboard ? [keyboard.quit] : [])]).then(() => "told" as const);
  const workedOff = keyboard?.end.then(() => app.idle()).then(() => "worked off" as const);
  const why = await Promise.race([told, ...(workedOff ? [workedOff] : [])]);
  options.say(words.stopping);
  void nextSignal().then(() => process.exit(cutOff));
  // What still waits for a person then will wait in vain.
  const { cut } = await app.stop(why === "told" ? undefined : 0);
  options.say(words.stopped(cut));
}

function announce(app: App, { say, connections }: AppOptions): void {
  const words = wordsFor(undefined).start;
  for (const problem of app.problems) say(problem);
  // At a terminal the teammate itself speaks first; a line of ours would land in the person's prompt.
  if (connections.some((spec) => spec.local)) return;
  say(words.ready(connections));
}

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      process.off("SIGINT", done);
      process.off("SIGTERM", done);
      resolve();
    };
    process.on("SIGINT", done);
    process.on("SIGTERM", done);
  });
}
