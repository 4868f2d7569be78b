import { readAccounts, type SignIn, type SignInProblem } from "../../access/index.ts";
import { issueTokens } from "../../attention/index.ts";
import type { Post } from "../../chat/index.ts";
import type { Outbox } from "../../outbox/index.ts";
import type { Unit } from "../../storage/index.ts";
import { type Words, wordsFor } from "../../words/index.ts";
import { drawAt, unsentCardShape } from "../card-address.ts";

/** Shows where a sign-in stands in its own card, and greets whoever made it work. Once per state. */
export async function showSignIn(outbox: Pick<Outbox, "enqueue">, unit: Unit, signIn: SignIn): Promise<void> {
  if (signIn.postId === null) return;
  const card = unsentCardShape.parse(signIn.card);
  const words = wordsFor(card.locale);
  const shown = await postOf(unit, signIn, words);
  const dedupKey = `sign-in:${signIn.id}:${signIn.status}`;
  await drawAt(outbox, unit, { ...card, target: { postId: signIn.postId } }, { shown, dedupKey });
  if (signIn.status !== "done" || signIn.task !== "in") return;
  const { plan } = await readAccounts(unit.db);
  const greeting = { text: words.access.planPays(plan?.label ?? null), notify: true };
  const { connectionId, channel, thread, placeKind, lane } = card;
  await outbox.enqueue(unit, {
    op: "post",
    post: greeting,
    to: { connectionId, address: { channel, thread }, placeKind },
    purpose: "card",
    lane,
    dedupKey: `${dedupKey}:greeting`,
  });
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
