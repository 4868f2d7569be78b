import { parseMarkdown, toPlainText } from "../../src/chat/index.ts";
import type { SeenMessage } from "../fakes/slack/index.ts";

/** What a person reads in a message once Slack has turned its Markdown into formatting. */
export function visibleText({ blocks, text }: Pick<SeenMessage, "blocks" | "text">): string {
  // Rich text is what Slack itself made of the text beside it.
  if (blocks.every(({ type }) => type === "rich_text")) return text;
  return blocks
    .map((block) => {
      if (block.type === "markdown" && "text" in block) return toPlainText(parseMarkdown(String(block.text)));
      return wordsIn(block).join("\n");
    })
    .filter((part) => part !== "")
    .join("\n");
}

/** The words of sections and footers; the labels of what can be pressed are told apart. */
function wordsIn(block: object): string[] {
  const texts = "text" in block ? [block.text] : [];
  const elements = "type" in block && block.type === "context" && "elements" in block ? block.elements : [];
  return [...texts, ...(Array.isArray(elements) ? elements : [])].flatMap((one: unknown) =>
    typeof one === "object" && one !== null && "text" in one ? [String(one.text)] : [],
  );
}
