import type { Adapter, Address, Post, Receipt } from "../chat/index.ts";
import { hashToken, redact } from "../shared/index.ts";
import { wordsFor } from "../words/index.ts";
import { readBody } from "./body.ts";
import type { ClaimedPost } from "./claim.store.ts";

const minute = 60_000;
/** An adapter has its own, shorter limits; these keep a hung send from holding its lane for ever. */
const limitMs = { upload: 15 * minute, other: 2 * minute };

/** Hands one post to its platform. Never rejects: whatever goes wrong is a receipt. */
export async function send(adapter: Adapter, post: ClaimedPost): Promise<Receipt> {
  const limit = post.op === "upload" ? limitMs.upload : limitMs.other;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<Receipt>((resolve) => {
    timer = setTimeout(() => resolve({ outcome: "unknown", detail: "no response" }), limit);
  });
  try {
    return await Promise.race([dispatch(adapter, post), tooLong]);
  } catch (error) {
    return { outcome: "unknown", detail: redact(error instanceof Error ? error.message : String(error)) };
  } finally {
    clearTimeout(timer);
  }
}

async function dispatch(adapter: Adapter, post: ClaimedPost): Promise<Receipt> {
  const target = post.targetMessageId ?? "";
  switch (post.op) {
    case "post":
      return sendPost(adapter, post, readBody.post(post.body));
    case "edit":
      return (await adapter.edit?.(post.address, target, readBody.post(post.body))) ?? cannot("edit messages");
    case "remove":
      return (await remove(adapter, post, target)) ?? cannot("remove messages");
    case "react":
      return (await adapter.react?.(post.address, target, readBody.reaction(post.body))) ?? cannot("react");
    case "upload": {
      const file = readBody.file(post.body);
      const label = wordsFor(null).outbox.maybeRepeat;
      const caption = post.maybeRepeat ? [label, file.caption].filter(Boolean).join("\n\n") : file.caption;
      const key = keyOf(post);
      return (await adapter.upload?.(post.address, { ...file, caption }, key)) ?? cannot("send files");
    }
    case "open_thread": {
      const title = readBody.title(post.body);
      const again = post.attempts > 0;
      return (await adapter.openThread?.(post.address, title, keyOf(post), again)) ?? cannot("open threads");
    }
  }
}

function remove(adapter: Adapter, { address, body }: ClaimedPost, target: string): Promise<Receipt> | undefined {
  const { buttonHash } = readBody.removal(body);
  if (buttonHash === undefined) return adapter.remove?.(address, target);
  return adapter.removeByButton?.(address, (token) => hashToken(token) === buttonHash);
}

async function sendPost(adapter: Adapter, post: ClaimedPost, body: Post): Promise<Receipt> {
  if (!post.maybeRepeat) return adapter.post(post.address, body, keyOf(post), post.attempts > 0);
  const label = wordsFor(null).outbox.maybeRepeat;
  const labelled = { ...body, text: `${label}\n\n${body.text}` };
  if (adapter.split(labelled).length <= 1) return adapter.post(post.address, labelled, keyOf(post));
  // A part that fills its message has no room for the label: it goes ahead as a message of its own.
  const ahead = await sendLabel(adapter, post.address, label, keyOf(post), body);
  return ahead.outcome === "delivered" ? adapter.post(post.address, body, keyOf(post)) : ahead;
}

function sendLabel(adapter: Adapter, address: Address, label: string, key: string, body: Post): Promise<Receipt> {
  const persona = body.persona === undefined ? {} : { persona: body.persona };
  return adapter.post(address, { text: label, notify: false, ...persona }, `${key}l`);
}

/** The row's id in 22 characters, the same for every try; a labelled repeat is another message. */
function keyOf(post: ClaimedPost): string {
  const key = Buffer.from(post.id.replaceAll("-", ""), "hex").toString("base64url");
  return post.maybeRepeat ? `${key}r` : key;
}

function cannot(what: string): Receipt {
  return { outcome: "failed", error: { kind: "rejected", detail: `this platform cannot ${what}` } };
}
