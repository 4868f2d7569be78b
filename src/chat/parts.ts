import type { Post } from "./post.ts";

/**
 * The posts that a post becomes when its text was cut into these: one sound for all, the reply goes to the first, what can
 * be pressed or replied to and the footer to the last. Where each message stands under a name of its own, the persona goes to each.
 */
export function toParts(post: Post, texts: readonly string[], persona: "each" | "first"): readonly Post[] {
  if (texts.length <= 1) return [post];
  const { buttons, selects, links, footer, replyTo, asksReply, ...common } = post;
  return texts.map((text, index) => {
    const [first, last] = [index === 0, index === texts.length - 1];
    return {
      ...common,
      text,
      persona: first || persona === "each" ? post.persona : undefined,
      notify: first && post.notify,
      ...(first && { replyTo }),
      ...(last && { footer, buttons, selects, links, asksReply }),
    };
  });
}
