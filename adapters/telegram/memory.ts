import { createRecent, type InboundEvent, type MessageEvent } from "../../src/chat/index.ts";
import { collectMs, pasteFrom } from "./limits.ts";

interface OpenPaste {
  readonly key: string;
  readonly sentAt: number;
}

const remembered = 2000;

/**
 * What one update alone cannot tell: that a long text continues the paste before it (its short tail is the core's to
 * join), and that an "edit" changed nothing a person wrote (link previews and reactions arrive as edits).
 * Bounded; forgetting costs a needless event, never a lost one.
 */
export function createRecentMessages() {
  const pastes = createRecent<OpenPaste>(remembered);
  const texts = createRecent<string>(remembered);

  const joinPaste = (event: MessageEvent): MessageEvent => {
    const { place, author, text } = event;
    if (event.collect || event.forwardedFrom !== undefined || text.length < pasteFrom) return event;
    const writer = `${place.channel}:${place.thread ?? ""}:${author.id}`;
    const open = pastes.get(writer);
    const sentAt = event.sentAt.getTime();
    // Telegram's dates are whole seconds, so the window is a second wider than the wait.
    const continues = open !== undefined && sentAt - open.sentAt <= collectMs + 1000;
    const key = continues ? open.key : `paste:${place.channel}:${event.messageId}`;
    pastes.set(writer, { key, sentAt });
    return { ...event, collect: { kind: "paste", key, waitMs: collectMs } };
  };

  return {
    /** Completes an event with what is remembered; undefined for an edit without a change. */
    complete: (event: InboundEvent): InboundEvent | undefined => {
      if (event.kind !== "message" && event.kind !== "edit") return event;
      const key = `${event.place.channel}:${event.messageId}`;
      const unchanged = event.kind === "edit" && texts.get(key) === event.text;
      texts.set(key, event.text);
      if (unchanged) return undefined;
      return event.kind === "message" ? joinPaste(event) : event;
    },
  };
}
