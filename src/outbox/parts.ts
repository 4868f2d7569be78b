import type { Adapter, Persona, Post } from "../chat/index.ts";
import { redactFile, redactPost, redactTitle } from "./body.ts";
import type { NewPost } from "./types.ts";

type Platform = Pick<Adapter, "split" | "capabilities">;

/** The bodies to store for one post, one for each message it takes on its platform. */
export function bodiesOf(outgoing: NewPost, adapter: Platform | undefined): readonly object[] {
  switch (outgoing.op) {
    case "post":
      return split(redactPost(spoken(outgoing.post, outgoing.speaker, adapter)), adapter);
    case "edit":
      return [fitted(redactPost(spoken(outgoing.post, outgoing.speaker, adapter)), adapter)];
    case "remove":
      return ["buttonHash" in outgoing.target ? outgoing.target : {}];
    case "react":
      return [{ reaction: outgoing.reaction }];
    case "upload":
      return [redactFile(outgoing.file)];
    case "open_thread":
      return [{ title: redactTitle(outgoing.title) }];
  }
}

const isNative = (adapter: Platform | undefined) => adapter?.capabilities.persona === "native";

function spoken(post: Post, speaker: Persona | undefined, adapter: Platform | undefined): Post {
  return speaker === undefined || post.persona !== undefined || !isNative(adapter)
    ? post
    : { ...post, persona: { ...speaker, unwritten: true } };
}

/** An edit changes one message: what does not fit in it is cut. */
function fitted(post: Post, adapter: Platform | undefined): Post {
  const [first, ...rest] = split(post, adapter);
  return first === undefined || rest.length === 0 ? post : { ...post, text: first.text };
}

function split(post: Post, adapter: Platform | undefined): readonly Post[] {
  const parts = adapter?.split(post) ?? [];
  return parts.length === 0 ? [post] : parts;
}
