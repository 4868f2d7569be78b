import type { InboundEvent, MessageEvent } from "../../src/chat/index.ts";
import { collectMs, pasteFrom } from "./limits.ts";

interface OpenPaste {
  readonly key: string;
  readonly sentAt: number;
}

const rememberedTexts = 2000;

/**
 * What one update alone cannot tell: that a text continues the paste before it, and that an "edit" changed nothing a person
 * wrote (link previews and reactions arrive as edits). Bounded; forgetting costs a needless event, never a lost one.
 */
export function createRecentMessages() {
  const pastes = new Map<string, OpenPaste>();
  const texts = new Map<string, string>();

  const remember = (key: string, text: string) => {
    texts.delete(key);
    texts.set(key, text);
    const oldest = texts.keys().next();
    if (texts.size > rememberedTexts && !oldest.done) texts.delete(oldest.value);
  };

  const joinPaste = (event: MessageEvent): MessageEvent => {
    const { place, author, text } = event;
    const writer = `${place.channel}:${place.thread ?? ""}:${author.id}`;
    const open = pastes.get(writer);
    const sentAt = event.sentAt.getTime();
    // Telegram's dates are whole seconds, so the window is a second wider than the wait.
    const continues = open !== undefined && sentAt - open.sentAt <= collectMs + 1000;
    if (open && !continues) pastes.delete(writer);
    if (event.collect || event.forwardedFrom !== undefined || (text.length < pasteFrom && !continues)) return event;
    const key = continues ? open.key : `paste:${place.channel}:${event.messageId}`;
    if (text.length >= pasteFrom) pastes.set(writer, { key, sentAt });
    else pastes.delete(writer);
    return { ...event, collect: { kind: "paste", key, waitMs: collectMs } };
  };

  return {
    /** Completes an event with what is remembered; undefined for an edit without a change. */
    complete: (event: InboundEvent): InboundEvent | undefined => {
      if (event.kind !== "message" && event.kind !== "edit") return event;
      const key = `${event.place.channel}:${event.messageId}`;
      const unchanged = event.kind === "edit" && texts.get(key) === event.text;
      remember(key, event.text);
      if (unchanged) return undefined;
      return event.kind === "message" ? joinPaste(event) : event;
    },
  };
}
