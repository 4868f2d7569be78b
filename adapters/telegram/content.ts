import type { Message } from "grammy/types";

/** What a message carries that is neither text nor a file, in words; undefined for service messages and unknown kinds. */
export function otherContent(message: Message): string | undefined {
  const { venue, location, contact, poll, sticker, dice, checklist, rich_message: rich } = message;
  if (venue) return `Place: ${venue.title}, ${venue.address} (${coordinates(venue.location)})`;
  if (location) return `Location: ${coordinates(location)}`;
  if (contact)
    return `Contact: ${[contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(" ")}`;
  if (poll) return [`Poll: ${poll.question}`, ...poll.options.map((option) => `- ${option.text}`)].join("\n");
  if (checklist) return [checklist.title, ...checklist.tasks.map((task) => `- ${task.text}`)].join("\n");
  if (sticker) return sticker.emoji ?? "Sticker";
  if (dice) return `${dice.emoji} ${dice.value}`;
  if (rich) return richText(rich.blocks).join("\n") || undefined;
  return undefined;
}

function coordinates({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return `${latitude}, ${longitude}`;
}

/** The words of a rich message, a line a block; its formatting is left behind. */
function richText(blocks: unknown): string[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.map((block) => words(block).join("")).filter((line) => line.trim() !== "");
}

const wordKeys = new Set(["text", "blocks", "items", "cells", "rows", "caption", "children", "label"]);

function words(node: unknown): string[] {
  if (typeof node === "string") return [node];
  if (Array.isArray(node)) return node.flatMap(words);
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (wordKeys.has(key) ? words(value) : []));
}
