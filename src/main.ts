#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { Command } from "commander";

// Before anything else of ours is loaded: what was compiled once is taken from there, which saves 15 MB of memory and about
// a quarter of every start. Inside our own folder, as whoever may write there can change the code anyway; where
// nobody can write, there is simply no cache.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
const startCommand = async (where: "chats" | "terminal") => (await import("./commands/start.ts")).startCommand(where);

const program = new Command("shipmate")
  .description("AI teammates in the chats your team already uses.")
  .version((await import("../package.json", { with: { type: "json" } })).default.version)
  .showHelpAfterError("Run `shipmate --help` for what there is.");

program
  .command("start", { isDefault: true })
  .description("connect to the chats that the settings name, and work")
  .action(() => startCommand("chats"));
program
  .command("chat")
  .description("talk to your teammate in this terminal, with your own model account")
  .action(() => startCommand("terminal"));
program
  .command("doctor")
  .description("check what Shipmate needs, and say how to mend what is missing")
  .action(async () => (await import("./commands/doctor.ts")).doctorCommand());

await program.parseAsync();
