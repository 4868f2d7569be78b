import { clip } from "../chat/index.ts";
import { redact } from "../shared/index.ts";
import { keptText, longestMemory, mostMemories } from "./memory.ts";

const mark = "<!-- Written by Shipmate. What you change here is not kept. -->";

/** What stands in a workspace's MEMORY.md: memories are not there, and how to reach them. */
export function memoryFileText(): string {
  return [
    mark,
    "",
    "# Memory",
    "",
    "Your memories are kept by Shipmate, not in this file. What matters for a request comes with it.",
    "Use `search_memories` to look for more, `remember` to keep or correct a fact, and `forget` to drop one.",
    "People see and change them with /memory.",
    "",
  ].join("\n");
}

/** The facts in a memory file that somebody wrote by hand: its list items and lines, no headings. None in our own file. */
export function oldMemories(fileText: string): readonly string[] {
  if (fileText.trimStart().startsWith(mark)) return [];
  const facts = factLines(fileText).flatMap((line) => {
    const kept = keptText(line);
    return "text" in kept ? [kept.text] : [];
  });
  return [...new Set(facts)].slice(0, mostMemories);
}

/** A heading, a rule, an empty item or a fence says nothing by itself. */
const noFact = /^(?:#{1,6}\s|[-*_=\s]{3,}$|[-*+]$|\d+[.)]$|```|~~~)/u;
const listMark = /^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/u;

/** Lines that belong together are one: those of a paragraph, and what is indented beneath an item. */
function factLines(text: string): readonly string[] {
  const facts: string[] = [];
  let isOpen = false;
  for (const raw of text
    .replace(/\r\n?/gu, "\n")
    .replace(/<!--[\s\S]*?-->/gu, "")
    .split("\n")) {
    const line = raw.trim();
    const isItem = listMark.test(line);
    if (line === "" || noFact.test(line)) isOpen = false;
    else if (isOpen && !isItem) facts.push(`${facts.pop() ?? ""} ${line}`);
    else {
      facts.push(line.replace(listMark, ""));
      isOpen = true;
    }
  }
  return facts.map((fact) => clip(redact(fact), longestMemory));
}
