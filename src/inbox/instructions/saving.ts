import { issueTokens } from "../../attention/index.ts";
import { saveInstructions, type Teammate, tidyInstructions } from "../../teammates/index.ts";
import type { Card, Pressed, UseEvent } from "../action.ts";
import { redraw } from "../action.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import { textOf, type Upload } from "../uploads.ts";
import { expiry, instructionsCard, shownDifference } from "./card.ts";
import { differenceOf } from "./difference.ts";
import { editSchema } from "./payloads.ts";
import { teammateFor } from "./teammate.ts";

export interface NewText {
  readonly text: string;
  /** What stood there when the edit began; null overwrites. */
  readonly expected: string | null;
}

/** Saves what somebody wrote; where somebody else was faster, asks which of the two counts. */
export async function save(
  scene: PersonScene<UseEvent>,
  teammate: Teammate,
  { text, expected }: NewText,
  card: Card | null,
): Promise<Pressed> {
  const { unit, person } = scene;
  const words = scene.words.instructions;
  const done = await saveInstructions(unit, person, teammate.id, { text, expected });
  switch (done.kind) {
    case "refused":
      return { outcome: dropped("invalid"), answer: words.problems[done.problem] };
    case "changed":
      await askWhich(scene, teammate, text, done.now);
      return { outcome: handled };
    case "saved":
    case "unchanged":
      if (card) await redraw(scene, card, await instructionsCard(scene, teammate));
      return { outcome: handled, answer: words[done.kind] };
  }
}

/** One of two buttons: the second save overwrites. */
async function askWhich(scene: PersonScene, teammate: Teammate, text: string, now: string): Promise<void> {
  const words = scene.words.instructions;
  const payload = { teammateId: teammate.id };
  const tokens = await issueTokens(scene.unit, {
    choices: [
      { key: "mine", action: "instructions_overwrite", payload: { ...payload, text: tidyInstructions(text) } },
      { key: "theirs", action: "instructions_keep", payload },
    ],
    personId: scene.person.id,
    expiresAt: expiry(scene),
  });
  const difference = await shownDifference(scene, differenceOf(now, tidyInstructions(text)));
  await say(scene, [words.title(plain(teammate.name)), words.conflict, difference].join("\n\n"), {
    buttons: [
      [
        { label: words.saveMine, token: tokens.mine, style: "danger" },
        { label: words.keepTheirs, token: tokens.theirs },
      ],
    ],
    purpose: "card",
    part: "conflict",
  });
}

/** A file in place of a form: with a command it replaces whatever stands, as a reply to the form it is that form filled in. */
export async function takeInstructionsFile(scene: PersonScene<UseEvent>, upload: Upload): Promise<Outcome> {
  const words = scene.words.instructions;
  const form = editSchema.safeParse(upload.form).data;
  const teammate = form
    ? await scene.deps.teammates.get(scene.unit.db, form.teammateId)
    : await teammateFor(scene, upload.argument);
  if (!teammate) {
    await say(scene, words.problems.gone);
    return dropped("invalid");
  }
  const { content } = upload;
  const text = typeof content === "string" ? undefined : textOf(content);
  if (text === undefined) {
    await say(scene, typeof content === "string" ? words.uploadProblems[content] : words.problems.not_text);
    return dropped("invalid");
  }
  const { outcome, answer } = await save(scene, teammate, { text, expected: form?.expected ?? null }, null);
  if (answer !== undefined) await say(scene, answer);
  return outcome;
}
