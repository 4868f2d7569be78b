#!/usr/bin/env node
import { Command } from "commander";
import { startCommand } from "./commands/start.ts";

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
