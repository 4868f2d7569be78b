import type { PromptInput, PromptMessage } from "../../src/runs/types.ts";

/** Ada, the owner, says something in Lisbon on a Friday morning. */
export function said(text: string, more: Partial<PromptMessage> = {}): PromptMessage {
  return {
    messageId: "m1",
    author: "person",
    authorName: "Ada",
    authorId: "7001",
    authorRole: "owner",
    text,
    sentAt: new Date("2026-11-13T09:12:00Z"),
    edited: false,
    files: [],
    ...more,
  };
}

/** The same by somebody of the team who does not own the bot. */
export function saidByMember(text: string, more: Partial<PromptMessage> = {}): PromptMessage {
  return said(text, { authorName: "Ben", authorId: "7002", authorRole: "member", ...more });
}

export function asked(messages: readonly PromptMessage[], more: Partial<PromptInput> = {}): PromptInput {
  return {
    kind: "start",
    messages,
    place: { kind: "dm", platform: "telegram" },
    now: new Date("2026-11-13T09:14:00Z"),
    timezone: "Europe/Lisbon",
    ...more,
  };
}
