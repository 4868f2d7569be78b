import { keepsSecret, momentText, type Routine } from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { buttonRows, type Key, type RoutinePost } from "./tokens.ts";

/** Where a routine's webhook is called, and a new secret for it. For those who keep its secret, and nobody else's eyes. */
export async function webhookCard(
  scene: PersonScene,
  routine: Routine,
  view: "facts" | "sure" = "facts",
): Promise<RoutinePost> {
  const { unit, deps, person, words } = scene;
  const { webhook: said } = words.outside;
  const name = plain(routine.name);
  if (!keepsSecret(person, routine)) return { text: said.notYours(name) };
  const webhook = await deps.webhooks.get(unit.db, routine.id);
  const payload = { routineId: routine.id };
  const make: Key = { label: said.newSecret, action: "routine_webhook_make", payload, style: "danger" };
  if (webhook === undefined) {
    const first: Key = { ...make, label: said.firstSecret, style: "primary" };
    return { text: said.none(name), buttons: await buttonRows(scene, [[first]]) };
  }
  if (view === "sure") {
    const keep: Key = { label: said.keep, action: "routine_webhook_show", payload };
    return { text: said.sure(name), buttons: await buttonRows(scene, [[make, keep]]) };
  }
  const now = deps.clock.now();
  const called = webhook.calledAt && momentText(webhook.calledAt, now, person, words.routines);
  const lines = [
    said.heading(name, plain(routine.teammateName)),
    said.address(webhook.url),
    called === null ? said.neverCalled : said.called(called),
    ...(webhook.opensAnywhere ? [] : [said.onlyHere]),
  ];
  const renew: Key = { label: said.newSecret, action: "routine_webhook_sure", payload };
  return { text: lines.join("\n"), buttons: await buttonRows(scene, [[renew]]) };
}
