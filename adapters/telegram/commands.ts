import { createHash } from "node:crypto";
import type { Api } from "grammy";
import type { AdapterState, CommandSpec } from "../../src/chat/index.ts";
import { menuLimit } from "./limits.ts";

const stateKey = "telegram.commands";

/** Shows the commands in Telegram's menu, when they changed since the last time: syncing at each start gets a bot limited. */
export async function syncCommands(api: Api, state: AdapterState, specs: readonly CommandSpec[]): Promise<void> {
  const menu = specs
    .filter(({ name, menu: shown }) => shown && /^[a-z0-9_]{1,32}$/.test(name))
    .slice(0, menuLimit)
    .map(({ name, description }) => ({ command: name, description: description.slice(0, 256) || name }));
  const hash = createHash("sha256").update(JSON.stringify(menu)).digest("hex");
  if ((await state.load(stateKey)) === hash) return;
  await api.setMyCommands(menu);
  await state.save(stateKey, hash);
}
