import type { Capabilities } from "../../src/chat/index.ts";

/** Numbers of the Bot API 10.3, and the pace at which Telegram does not answer 429. Characters are counted after entity parsing. */
export const textLimit = 4096;
export const captionLimit = 1024;
export const photoUploadBytes = 10 * 1024 * 1024;
export const uploadBytes = 50 * 1024 * 1024;
export const downloadBytes = 20 * 1024 * 1024;
export const topicNameLimit = 128;
export const buttonLabelLimit = 64;
/** The API names none; this much is known to pass. */
export const buttonUrlLimit = 2048;
/** The API takes 100; a menu on a phone is read only so far. */
export const menuLimit = 12;
export const callbackAnswerLimit = 200;
/** The parts of an album, or of a paste that the client cut at 4,096 characters, follow each other within this time. */
export const collectMs = 1400;
/** From this length on a text is probably the first part of a longer one. */
export const pasteFrom = 4000;

/** About one message a second per chat, twenty a minute per group, thirty a second in all; edits count as messages. */
export const capabilities: Capabilities = {
  progress: { dm: "draft", group: "edit", channel: "edit", forum: "edit" },
  progressIntervalMs: { dm: 500, group: 3100, channel: 3100, forum: 3100 },
  postIntervalMs: { dm: 1000, group: 3000, channel: 3000, forum: 3000 },
  connectionIntervalMs: 34,
  limits: { fileInBytes: downloadBytes, fileOutBytes: uploadBytes, buttonLabel: buttonLabelLimit },
  idempotentPosts: false,
  persona: "line",
  privatePosts: false,
  forms: false,
};
