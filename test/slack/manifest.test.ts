import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../adapters/slack/manifest.json" with { type: "json" };
import { callbacks, command } from "../../adapters/slack/names.ts";
import { scopeCosts } from "../../adapters/slack/words.ts";

const folder = join(import.meta.dirname, "../../adapters/slack");
const { features, oauth_config, settings } = manifest;
const scopes = oauth_config.scopes.bot;

/** What each call needs of Slack; where several stand, each is for another kind of conversation. */
const scopesOf: Readonly<Record<string, readonly string[]>> = {
  "assistant.threads.setStatus": ["chat:write"],
  "assistant.threads.setSuggestedPrompts": ["assistant:write"],
  "auth.test": [],
  "chat.delete": ["chat:write"],
  "chat.postEphemeral": ["chat:write"],
  "chat.postMessage": ["chat:write", "chat:write.customize"],
  "chat.update": ["chat:write"],
  "conversations.history": ["channels:history", "groups:history", "im:history", "mpim:history"],
  "conversations.info": ["channels:read", "groups:read", "mpim:read"],
  "conversations.open": ["im:write"],
  "conversations.replies": ["channels:history", "groups:history", "im:history", "mpim:history"],
  "files.completeUploadExternal": ["files:write"],
  "files.getUploadURLExternal": ["files:write"],
  "files.info": ["files:read"],
  "reactions.add": ["reactions:write"],
  "reactions.remove": ["reactions:write"],
  "users.info": ["users:read"],
  "views.open": [],
  "views.publish": [],
};

/** What each event needs; the names are those of the subscription. */
const scopesOfEvents: Readonly<Record<string, readonly string[]>> = {
  app_home_opened: [],
  app_mention: ["app_mentions:read"],
  app_uninstalled: [],
  channel_archive: ["channels:read"],
  channel_deleted: ["channels:read"],
  channel_left: ["channels:read"],
  group_archive: ["groups:read"],
  group_deleted: ["groups:read"],
  group_left: ["groups:read"],
  member_joined_channel: ["channels:read", "groups:read"],
  member_left_channel: ["channels:read", "groups:read"],
  "message.channels": ["channels:history"],
  "message.groups": ["groups:history"],
  "message.im": ["im:history"],
  "message.mpim": ["mpim:history"],
  tokens_revoked: [],
};

async function source(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}

const unique = (values: readonly string[]) => [...new Set(values)].sort();

describe("the manifest", () => {
  it("asks for the permissions that our calls and events need, and for no more", async () => {
    const calls = [...(await source()).matchAll(/\bclient\s*\.((?:[a-z]\w+\s*\.)+\s*[a-z]\w+)\(/gu)];
    const methods = unique(calls.map(([, name = ""]) => name.replace(/\s/gu, ""))).filter((name) => name.includes("."));
    expect(methods).toEqual(Object.keys(scopesOf).sort());
    const needed = [
      ...Object.values(scopesOf).flat(),
      ...settings.event_subscriptions.bot_events.flatMap((event) => scopesOfEvents[event] ?? ["unknown"]),
      "commands",
    ];
    expect(scopes).toEqual(unique(needed));
  });

  it("asks for nothing whose absence the owner would not be told of", () => {
    expect(scopes).toEqual(Object.keys(scopeCosts).sort());
  });

  it("subscribes to the events that the code listens to", async () => {
    const heard = [...(await source()).matchAll(/app\.event\("(\w+)"/gu)].map(([, name = ""]) => name);
    const subscribed = settings.event_subscriptions.bot_events.map((name) => name.replace(/^message\..*$/u, "message"));
    expect(heard.length).toBeGreaterThan(5);
    expect(unique(subscribed)).toEqual(unique(heard));
  });

  it("declares the command and the shortcuts that the code answers", () => {
    expect(features.slash_commands.map((one) => one.command)).toEqual([command]);
    expect(features.shortcuts.map(({ callback_id, type }) => [callback_id, type])).toEqual([
      [callbacks.ask, "message"],
      [callbacks.stop, "message"],
    ]);
  });

  it("is an agent that is reached in its messages tab, over Socket Mode", () => {
    expect(settings).toMatchObject({ socket_mode_enabled: true, interactivity: { is_enabled: true } });
    expect(features.app_home).toEqual({
      home_tab_enabled: true,
      messages_tab_enabled: true,
      messages_tab_read_only_enabled: false,
    });
    expect(features).toHaveProperty("agent_view");
    expect(features).not.toHaveProperty("assistant_view");
    expect(settings.event_subscriptions).not.toHaveProperty("request_url");
  });

  it("keeps within what Slack takes", () => {
    expect(manifest.display_information.name.length).toBeLessThanOrEqual(35);
    expect(manifest.display_information.description.length).toBeLessThanOrEqual(140);
    expect(features.agent_view.agent_description.length).toBeLessThanOrEqual(300);
    for (const { name, description } of features.shortcuts) {
      expect(name.length).toBeLessThanOrEqual(24);
      expect(description.length).toBeLessThanOrEqual(150);
    }
  });
});
