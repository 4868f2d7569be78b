import type { WebClient } from "@slack/web-api";
import { type CommandsDeps, createCommands } from "./commands.ts";
import type { OpenView } from "./forms.ts";
import { createPresses, type PressesDeps } from "./presses.ts";

export interface InteractionsDeps extends Omit<CommandsDeps & PressesDeps, "openView" | "mayAskMs"> {
  readonly client: WebClient;
}

/** What people do with commands, shortcuts, buttons, lists and forms. */
export function createInteractions({ client, ...deps }: InteractionsDeps) {
  const openView: OpenView = async (trigger, view) => {
    await client.views.open({ trigger_id: trigger, view: view() });
  };
  return { ...createCommands({ ...deps, openView, mayAskMs: deps.formMs }), ...createPresses({ ...deps, openView }) };
}

export type Interactions = ReturnType<typeof createInteractions>;
