import { App, type BlockAction, type Receiver } from "@slack/bolt";
import { clientOptions, silent } from "./client.ts";
import type { Self } from "./directory.ts";
import type { Interactions } from "./interactions.ts";
import { actionIds } from "./message.ts";
import { callbacks, command } from "./names.ts";
import type { Occurrences } from "./occurrences.ts";

export interface BoltDeps {
  readonly receiver: Receiver;
  readonly apiUrl: string;
  readonly botToken: string;
  readonly self: Self;
  readonly occurrences: Occurrences;
  readonly interactions: Interactions;
  /** The app was removed from the workspace, or its token taken back. */
  readonly onRevoked: () => void;
}

/** Bolt tells the kinds of payloads apart and leaves out our own; everything that a listener returns has been stored. */
export function createBoltApp({
  receiver,
  apiUrl,
  botToken,
  self,
  occurrences,
  interactions,
  onRevoked,
}: BoltDeps): App {
  const app = new App({
    receiver,
    logger: silent,
    clientOptions: clientOptions(apiUrl, 20_000),
    authorize: async () => ({ botToken, botId: self.botId, botUserId: self.userId, teamId: self.teamId }),
    convoStore: false,
  });
  // Bolt would log what failed and go on as if it were stored.
  app.error(async (error) => {
    throw error;
  });

  app.event("message", ({ event }) => occurrences.message(event));
  app.event("app_mention", ({ event }) => occurrences.message(event));
  app.event("member_joined_channel", ({ event }) => occurrences.joined(event));
  app.event("member_left_channel", ({ event }) => occurrences.left(event, event.user));
  app.event("channel_left", ({ event }) => occurrences.left(event));
  app.event("group_left", ({ event }) => occurrences.left(event));
  app.event("channel_archive", ({ event }) => occurrences.left(event));
  app.event("group_archive", ({ event }) => occurrences.left(event));
  app.event("channel_deleted", ({ event }) => occurrences.left(event));
  app.event("group_deleted", ({ event }) => occurrences.left(event));
  app.event("app_home_opened", ({ event }) => occurrences.homeOpened(event));
  app.event("app_uninstalled", async () => onRevoked());
  app.event("tokens_revoked", async ({ event }) => {
    if (event.tokens.bot?.length) onRevoked();
  });

  app.command(command, ({ body }) => interactions.command(body));
  app.shortcut({ type: "message_action", callback_id: callbacks.ask }, ({ body }) => interactions.askAbout(body));
  app.shortcut({ type: "message_action", callback_id: callbacks.stop }, ({ body }) => interactions.stop(body));
  app.view(callbacks.ask, ({ body }) => interactions.asked(body));
  app.view(callbacks.form, ({ body }) => interactions.filledIn(body));
  for (const kind of Object.values(actionIds)) {
    app.action<BlockAction>({ type: "block_actions", action_id: new RegExp(`^${kind}:`, "u") }, ({ body }) =>
      interactions.pressed(body),
    );
  }
  return app;
}
