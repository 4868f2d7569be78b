import type { RoutineTrigger } from "../../routines/index.ts";

const often = String.raw`(?:when(?:ever)?|each\s+time|every\s+time)`;
const outside = String.raw`(?:\s+from\s+(?:the\s+)?outside)?`;
const call = [
  String.raw`${often}\s+(?:its|the|this|my|a)\s+(?:web\s?hook|url|address)\s+(?:is|gets)\s+called`,
  String.raw`${often}\s+it(?:['’]s|\s+is|\s+gets)\s+called${outside}`,
  String.raw`${often}\s+called${outside}`,
  String.raw`${often}\s+something\s+calls\s+(?:it|you)${outside}`,
  String.raw`on\s+(?:its|the|a)?\s*web\s?hook(?:\s+calls?)?`,
].join("|");
const first = new RegExp(String.raw`^\s*(?:${call})(?:\s*[,:;.–—-]+\s*|\s+(?=\S)|\s*$)`, "iu");
const last = new RegExp(String.raw`[\s,]+(?:${call})[\s.!]*$`, "iu");

/** Takes "when its webhook is called" from the beginning or the end of a wish; null where it does not say so. */
export function readCall(text: string): { readonly rest: string } | null {
  if (/^\s*web\s?hook[\s.!]*$/iu.test(text)) return { rest: "" };
  for (const pattern of [first, last]) {
    const rest = text.replace(pattern, "");
    if (rest !== text) return { rest: rest.trim() };
  }
  return null;
}

/** What lets every call through. */
export function callTrigger(): RoutineTrigger {
  return { kind: "webhook", filter: { types: [], fields: [] } };
}
