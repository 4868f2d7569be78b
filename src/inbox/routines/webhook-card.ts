import type { Post } from "../../chat/index.ts";
import { keepsSecret, momentText, type Routine } from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { issue, type Key, toButton } from "./tokens.ts";

/** Where a routine's webhook is called, and a new secret for it. For those who keep its secret, and nobody else's eyes. */
export async function webhookCard(
  scene: PersonScene,
  routine: Routine,
  view: "facts" | "sure" = "facts",
): Promise<Pick<Post, "text" | "buttons">> {
  const { unit, deps, person, words } = scene;
  const { webhook: said } = words.outside;
  const name = plain(routine.name);
  if (!keepsSecret(person, routine)) return { text: said.notYours(name) };
  const webhook = await deps.webhooks.get(unit.db, routine.id);
  const payload = { routineId: routine.id };
  const make: Key = { label: said.newSecret, action: "routine_webhook_make", payload, style: "danger" };
  if (webhook === undefined) {
    const { text, row } = {
      text: said.none(name),
      row: [{ ...make, label: said.firstSecret, style: "primary" as const }],
    };
    return { text, buttons: await withTokens(scene, row) };
  }
  if (view === "sure") {
    const keep: Key = { label: said.keep, action: "routine_webhook_show", payload };
    return { text: said.sure(name), buttons: await withTokens(scene, [make, keep]) };
  }
  const now = deps.clock.now();
  const called = webhook.calledAt && momentText(webhook.calledAt, now, person, words.routines);
  const lines = [
    said.heading(name, plain(routine.teammateName)),
    said.address(webhook.url),
    called === null ? said.neverCalled : said.called(called),
    ...(webhook.opensAnywhere ? [] : [said.onlyHere]),
  ];
  const row = [{ label: said.newSecret, action: "routine_webhook_sure", payload }];
  return { text: lines.join("\n"), buttons: await withTokens(scene, row) };
}

async function withTokens(scene: PersonScene, row: readonly Key[]): Promise<NonNullable<Post["buttons"]>> {
  const token = await issue(scene, row);
  return [row.map((each) => toButton(each, token(each)))];
}
