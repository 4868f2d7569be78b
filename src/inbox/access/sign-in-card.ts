import { z } from "zod";
import { readAccounts, type SignIn, type SignInProblem } from "../../access/index.ts";
import { issueTokens } from "../../attention/index.ts";
import type { Post } from "../../chat/index.ts";
import type { Outbox } from "../../outbox/index.ts";
import type { Unit } from "../../storage/index.ts";
import { type Words, wordsFor } from "../../words/index.ts";
import { asPrefixed } from "../command-words.ts";

/** Where a sign-in is shown, and in which words. */
export const cardShape = z.object({
  connectionId: z.uuid(),
  channel: z.string(),
  thread: z.string().optional(),
  lane: z.string(),
  locale: z.string().nullable(),
  commandPrefix: z.string().optional(),
});
export type SignInPlace = z.infer<typeof cardShape>;

/** Shows where a sign-in stands in its own card, and greets whoever made it work. Once per state. */
export async function showSignIn(outbox: Pick<Outbox, "enqueue">, unit: Unit, signIn: SignIn): Promise<void> {
  if (signIn.postId === null) return;
  const { connectionId, channel, thread, lane, locale, commandPrefix } = cardShape.parse(signIn.card);
  const words = wordsFor(locale);
  const common = {
    to: { connectionId, address: { channel, thread }, placeKind: "dm" as const },
    purpose: "card" as const,
    lane,
  };
  const shown = await postOf(unit, signIn, words);
  const post = { ...shown, text: asPrefixed(commandPrefix, shown.text), notify: false };
  const dedupKey = `sign-in:${signIn.id}:${signIn.status}`;
  await outbox.enqueue(unit, { ...common, op: "edit", target: { postId: signIn.postId }, post, dedupKey });
  if (signIn.status !== "done" || signIn.task !== "in") return;
  const { plan } = await readAccounts(unit.db);
  const greeting = { text: words.access.planPays(plan?.label ?? null), notify: true };
  await outbox.enqueue(unit, { ...common, op: "post", post: greeting, dedupKey: `${dedupKey}:greeting` });
}

async function postOf(
  unit: Unit,
  signIn: SignIn,
  { access: words }: Words,
): Promise<Pick<Post, "text" | "buttons" | "links">> {
  const { id, task, status, detail, userCode, verificationUrl } = signIn;
  switch (status) {
    case "asked":
      return { text: task === "in" ? words.askingForCode : words.signingOut };
    case "waiting": {
      const { token } = await issueTokens(unit, {
        choices: [{ key: "token", action: "access_sign_in_cancel", payload: { signInId: id } }],
        minRole: "admin",
      });
      return {
        text: words.codeCard((userCode ?? "").replaceAll("`", "")),
        links: verificationUrl === null ? [] : [{ label: words.openPage, url: verificationUrl }],
        buttons: [[{ label: words.cancel, token }]],
      };
    }
    case "done":
      return { text: task === "in" ? words.signedIn : words.signedOut };
    case "failed":
      return { text: words.signInFailed[problemOf(detail)] };
    case "cancelled":
      return { text: words.signInCancelled };
  }
}

function problemOf(detail: string | null): SignInProblem {
  const known = ["unreachable", "refused", "late", "restarted", "unanswered"] as const;
  return known.find((each) => each === detail) ?? "refused";
}
