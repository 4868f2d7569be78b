import { clip, oneLine } from "./clip.ts";
import type { Inline } from "./markdown.document.ts";
import { toMarkdown } from "./markdown.text.ts";
import type { Link, Post } from "./post.ts";

/** The post with the links that a platform's buttons do not take as lines beneath its text, so that nobody misses them. */
export function withLinksAsText(post: Post, taken: (link: Link) => boolean): Post {
  const left = (post.links ?? []).filter((link) => !taken(link));
  if (left.length === 0) return post;
  const links = post.links?.filter(taken);
  return { ...post, text: [post.text, ...left.map(asText)].filter((part) => part !== "").join("\n\n"), links };
}

/** How much room those lines need at most, in characters; they are added when the post is shown, so that no copy of it keeps them. */
export function linksAsTextLength({ links = [] }: Post, taken: (link: Link) => boolean): number {
  return links.filter((link) => !taken(link)).reduce((total, link) => total + asText(link).length + 16, 0);
}

/** True for an address within this machine or network (`http://localhost:8787`): platforms make no link of it. */
export function isLocalAddress(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return !host.includes(".") && !host.startsWith("[");
}

/** An address that cannot be opened by a press is shown, so that it can be copied. */
function asText({ label, url }: Link): string {
  const shown = clip(oneLine(label), 80);
  const text = (value: string): Inline => ({ type: "text", value });
  const line: Inline[] = isLocalAddress(url)
    ? [text(`${shown}: `), { type: "link", url, children: [text(url)] }]
    : [{ type: "link", url, children: [text(shown)] }];
  return toMarkdown({ type: "root", children: [{ type: "paragraph", children: line }] });
}
