import type { Adapter, Post } from "../chat/index.ts";
import { redactFile, redactPost } from "./body.ts";
import type { NewPost } from "./types.ts";

/** The bodies to store for one post, one for each message it takes on its platform. */
export function bodiesOf(outgoing: NewPost, adapter: Pick<Adapter, "split"> | undefined): readonly object[] {
  switch (outgoing.op) {
    case "post":
      return partsOf(redactPost(outgoing.post), adapter);
    case "edit":
      return [fitted(redactPost(outgoing.post), adapter)];
    case "remove":
      return [{}];
    case "react":
      return [{ reaction: outgoing.reaction }];
    case "upload":
      return [redactFile(outgoing.file)];
  }
}

/** The first part answers and notifies, the last one carries what can be pressed or replied to, and the footer. */
function partsOf(post: Post, adapter: Pick<Adapter, "split"> | undefined): readonly Post[] {
  const { buttons, selects, footer, replyTo, asksReply, ...plain } = post;
  const parts = split(post, adapter);
  return parts.map((part, index) => {
    const first = index === 0;
    const last = index === parts.length - 1;
    return {
      ...plain,
      text: part.text,
      notify: post.notify && first,
      ...(first && replyTo !== undefined ? { replyTo } : {}),
      ...(last && footer !== undefined ? { footer } : {}),
      ...(last && buttons !== undefined ? { buttons } : {}),
      ...(last && selects !== undefined ? { selects } : {}),
      ...(last && asksReply !== undefined ? { asksReply } : {}),
    };
  });
}

/** An edit changes one message: what does not fit in it is cut. */
function fitted(post: Post, adapter: Pick<Adapter, "split"> | undefined): Post {
  const [first, ...rest] = split(post, adapter);
  return first === undefined || rest.length === 0 ? post : { ...post, text: first.text };
}

function split(post: Post, adapter: Pick<Adapter, "split"> | undefined): readonly Post[] {
  const parts = adapter?.split(post) ?? [];
  return parts.length === 0 ? [post] : parts;
}
