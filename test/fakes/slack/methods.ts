import { authTest, teamInfo, usersInfo } from "./accounts.ts";
import { setStatus, setSuggestedPrompts, setTitle } from "./assistant.ts";
import { botsInfo, deleteMessage, getPermalink, postEphemeral, postMessage, updateMessage } from "./chat.ts";
import {
  conversationHistory,
  conversationInfo,
  conversationMembers,
  conversationReplies,
  openConversation,
} from "./conversations.ts";
import type { Fields } from "./fields.ts";
import { completeUpload, fileInfo, getUploadUrl } from "./files.ts";
import { addReaction, removeReaction } from "./reactions.ts";
import { appendStream, startStream, stopStream } from "./streams.ts";
import { openView, publishView, pushView, updateView } from "./views.ts";
import type { World } from "./world.ts";

export interface Method {
  readonly run: (world: World, fields: Fields) => object;
  /** One of these scopes; none for no scope. Methods that depend on the kind of channel look themselves. */
  readonly scopes: readonly string[];
  /** False for what Slack reads from forms only. */
  readonly json: boolean;
}

const method = (run: Method["run"], ...scopes: string[]): Method => ({ run, scopes, json: true });
const formOnly = (run: Method["run"], ...scopes: string[]): Method => ({ run, scopes, json: false });

/** What the bot token may call. */
export const methods: ReadonlyMap<string, Method> = new Map([
  ["auth.test", method((world) => authTest(world, "bot"))],
  ["team.info", method(teamInfo, "team:read")],
  ["users.info", formOnly(usersInfo, "users:read")],
  ["bots.info", formOnly(botsInfo, "users:read")],
  ["chat.postMessage", method(postMessage, "chat:write")],
  ["chat.update", method(updateMessage, "chat:write")],
  ["chat.delete", method(deleteMessage, "chat:write")],
  ["chat.postEphemeral", method(postEphemeral, "chat:write")],
  ["chat.getPermalink", formOnly(getPermalink)],
  ["chat.startStream", method(startStream, "chat:write")],
  ["chat.appendStream", method(appendStream, "chat:write")],
  ["chat.stopStream", method(stopStream, "chat:write")],
  ["assistant.threads.setStatus", method(setStatus, "chat:write", "assistant:write")],
  ["assistant.threads.setSuggestedPrompts", method(setSuggestedPrompts, "assistant:write", "chat:write")],
  ["assistant.threads.setTitle", method(setTitle, "assistant:write", "chat:write")],
  ["conversations.open", method(openConversation)],
  ["conversations.info", formOnly(conversationInfo)],
  ["conversations.history", formOnly(conversationHistory)],
  ["conversations.replies", formOnly(conversationReplies)],
  ["conversations.members", formOnly(conversationMembers)],
  ["reactions.add", method(addReaction, "reactions:write")],
  ["reactions.remove", method(removeReaction, "reactions:write")],
  ["files.getUploadURLExternal", formOnly(getUploadUrl, "files:write")],
  ["files.completeUploadExternal", method(completeUpload, "files:write")],
  ["files.info", formOnly(fileInfo, "files:read")],
  ["views.open", method(openView)],
  ["views.push", method(pushView)],
  ["views.update", method(updateView)],
  ["views.publish", method(publishView)],
]);
