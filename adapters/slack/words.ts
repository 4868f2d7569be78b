import { isDeadToken } from "./errors.ts";

const appSettings = "https://api.slack.com/apps";

/** Sentences for the owner about this connection: what is wrong, then what to do. And the few that Slack asks us for at once. */
export const words = {
  invalidBotToken: `Slack doesn't accept this bot token. Copy the Bot User OAuth Token (xoxb-…) again from ${appSettings}, OAuth & Permissions, set it, and start again.`,
  botTokenRevoked: `Slack no longer accepts this bot token: it was revoked, or the app was removed from the workspace. Install the app again at ${appSettings}, set the new token, and start again.`,
  invalidAppToken: `Slack doesn't accept this app token. Make a new one at ${appSettings}, Basic Information, App-Level Tokens, with the scope connections:write, set it, and start again.`,
  wrongAppToken: `This is no app-level token. It begins with xapp-; you find it at ${appSettings}, Basic Information, App-Level Tokens.`,
  connectionsWrite: `The app token lacks the scope connections:write, without which Slack sends me nothing. Make one with it at ${appSettings}, Basic Information, App-Level Tokens, set it, and start again.`,
  socketModeOff: `Socket Mode is off for this app, so Slack sends me nothing. Turn it on at ${appSettings}, Socket Mode; I keep trying.`,
  unreachable: (url: string) => `I can't reach Slack at ${url}. Check this machine's network; I keep trying.`,
  rateLimited: (seconds: number) => `Slack asks me to wait ${seconds} s before I connect again.`,
  missingScope: (scope: string, cost: string) =>
    `The permission ${scope} is missing: ${cost}. Add it at ${appSettings}, OAuth & Permissions, and install the app again.`,

  asks: (name: string) => `${name} asks:`,
  notInChannel: "I'm not in this channel yet. Invite me with /invite, then ask again.",
  notOurs: "I'm no part of this conversation. Write to me directly, or use this in a channel I'm in.",
  askTitle: "Ask a teammate",
  askLabel: "What should happen with this?",
  submit: "Send",
  cancel: "Cancel",
  choose: "Choose…",
};

/** What each permission is for, said as what is lost without it. */
export const scopeCosts = {
  "app_mentions:read": "I don't hear when somebody mentions me",
  "assistant:write": "I can't show first things to say in a new conversation",
  "channels:history": "in public channels I don't hear follow-ups or know what was said before",
  "channels:read": "I don't know the names of public channels",
  "chat:write": "I can't answer at all",
  "chat:write.customize": "teammates answer under one name, with theirs as a line in the text",
  commands: "the command /shipmate and the message shortcuts don't work",
  "files:read": "I can't open files that people send",
  "files:write": "I can't send files",
  "groups:history": "in private channels I don't hear follow-ups or know what was said before",
  "groups:read": "I don't know the names of private channels",
  "im:history": "I don't hear direct messages",
  "im:write": "I can't begin a direct message",
  "mpim:history": "I don't hear group conversations",
  "mpim:read": "I can't tell group conversations from channels",
  "reactions:write": "I can't mark messages as received or done",
  "users:read": "I see ids instead of names",
} as const;

/** What is wrong with the app token, when Slack answers this on opening a socket; undefined where it is not the token. */
export function appTokenProblem(code: string | undefined): string | undefined {
  switch (code) {
    case "missing_scope":
    case "no_permission":
      return words.connectionsWrite;
    case "not_allowed_token_type":
      return words.wrongAppToken;
    case "link_disabled":
    case "socket_mode_not_enabled":
      return words.socketModeOff;
    default:
      return isDeadToken(code) ? words.invalidAppToken : undefined;
  }
}

/** What is wrong with the bot token, when Slack answers this; undefined where it is not the token. */
export function botTokenProblem(code: string | undefined): string | undefined {
  if (code === "invalid_auth" || code === "not_authed" || code === "not_allowed_token_type")
    return words.invalidBotToken;
  return isDeadToken(code) ? words.botTokenRevoked : undefined;
}
