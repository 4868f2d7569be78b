import type { View } from "@slack/types";
import { checkBlocks } from "./blocks.ts";
import { ApiFailure, refusal } from "./failure.ts";
import { type Fields, nestedField, requiredField, textField } from "./fields.ts";
import { type Loose, labelOf, list } from "./flatten.ts";
import { keptBlocks } from "./payload.ts";
import type { ViewRecord, World } from "./world.ts";

const mostStacked = 3;

export function openView(world: World, fields: Fields) {
  const userId = takeTrigger(world, fields);
  const record = newView(world, userId, readView(world, fields, "modal"));
  world.modals.set(userId, [record]);
  world.changed();
  return { view: viewBody(world, record) };
}

export function pushView(world: World, fields: Fields) {
  const userId = takeTrigger(world, fields);
  const stack = world.modals.get(userId) ?? [];
  if (stack.length === 0) throw new ApiFailure("not_found");
  if (stack.length >= mostStacked) throw new ApiFailure("push_limit_reached");
  const record = stackView(world, userId, readView(world, fields, "modal"));
  world.changed();
  return { view: viewBody(world, record) };
}

export function stackView(world: World, userId: string, view: View): ViewRecord {
  const stack = world.modals.get(userId) ?? [];
  const record = newView(world, userId, view, stack.at(-1));
  world.modals.set(userId, [...stack, record]);
  return record;
}

export function updateView(world: World, fields: Fields) {
  const [id, external] = [textField(fields, "view_id"), textField(fields, "external_id")];
  const record = [...world.modals.values()]
    .flat()
    .find((one) => one.id === id || (external !== undefined && one.view.external_id === external));
  if (!record) throw new ApiFailure("not_found");
  const hash = textField(fields, "hash");
  if (hash !== undefined && hash !== record.hash) throw new ApiFailure("hash_conflict");
  changeView(world, record, readView(world, fields, "modal"));
  return { view: viewBody(world, record) };
}

export function changeView(world: World, record: ViewRecord, view: View): void {
  Object.assign(record, { view, hash: newHash(world), errors: {} });
  world.changed();
}

export function publishView(world: World, fields: Fields) {
  const userId = requiredField(fields, "user_id");
  if (!world.users.has(userId)) throw new ApiFailure("invalid_arguments");
  const view = readView(world, fields, "home");
  const known = world.homes.get(userId);
  const hash = textField(fields, "hash");
  if (hash !== undefined && known && hash !== known.hash) throw new ApiFailure("hash_conflict");
  const record = known ?? newView(world, userId, view);
  world.homes.set(userId, record);
  changeView(world, record, view);
  return { view: viewBody(world, record) };
}

/** A trigger is good for three seconds and one modal. */
function takeTrigger(world: World, fields: Fields): string {
  const trigger = world.triggers.get(requiredField(fields, "trigger_id"));
  if (!trigger) throw new ApiFailure("invalid_trigger_id");
  if (world.now() - trigger.at > world.timing.triggerMs) throw new ApiFailure("expired_trigger_id");
  if (trigger.used) throw new ApiFailure("exchanged_trigger_id");
  trigger.used = true;
  return trigger.userId;
}

function newView(world: World, userId: string, view: View, previous?: ViewRecord): ViewRecord {
  const id = world.nextId("V");
  return {
    id,
    userId,
    rootId: previous?.rootId ?? id,
    previousId: previous?.id,
    view,
    hash: newHash(world),
    errors: {},
    state: {},
  };
}

const newHash = (world: World) => `${Math.floor(world.now() / 1000)}.${world.nextId("h")}`;

function readView(world: World, fields: Fields, type: "modal" | "home"): View {
  const view = nestedField(fields, "view") as Loose | undefined;
  if (typeof view !== "object" || view === null) {
    throw refusal("invalid_arguments", "[ERROR] missing required field: view");
  }
  return checkedView(world, view, type);
}

/** Refuses what Slack would refuse; block ids are filled in. */
export function checkedView(world: World, view: Loose, type: "modal" | "home"): View {
  const wrong = (message: string, at: string) =>
    refusal("invalid_arguments", `[ERROR] ${message} [json-pointer:/view/${at}]`);
  if (Buffer.byteLength(JSON.stringify(view)) > 250_000) throw new ApiFailure("view_too_large");
  if (view.type !== type) throw wrong(`must be ${type}`, "type");
  if (!Array.isArray(view.blocks)) throw wrong("missing required field: blocks", "blocks");
  const texts = type === "modal" ? (["title", "submit", "close"] as const) : [];
  for (const name of texts) {
    const text = view[name] as Loose | undefined;
    if (text === undefined && name !== "title") continue;
    if (text?.type !== "plain_text" || labelOf(text) === "") throw wrong(`missing required field: ${name}`, name);
    if (labelOf(text).length > 24) throw wrong("must be less than 25 characters", `${name}/text`);
  }
  if (String(view.private_metadata ?? "").length > 3000)
    throw wrong("must be less than 3001 characters", "private_metadata");
  if (String(view.callback_id ?? "").length > 255) throw wrong("must be less than 256 characters", "callback_id");
  const asks = list(view.blocks).some((block) => block.type === "input");
  if (type === "modal" && asks && view.submit === undefined) throw wrong("submit is required with inputs", "submit");
  try {
    checkBlocks(list(view.blocks), "view", "/view");
  } catch (error) {
    // In views Slack calls the same faults invalid arguments.
    if (!(error instanceof ApiFailure)) throw error;
    throw new ApiFailure("invalid_arguments", { fields: error.fields });
  }
  return { ...view, blocks: keptBlocks(world, view.blocks as View["blocks"]) } as unknown as View;
}

/** A view as the Web API and interactions show it. */
export function viewBody(world: World, record: ViewRecord) {
  const view = record.view as unknown as Loose;
  const home = view.type === "home";
  return {
    id: record.id,
    team_id: world.team.id,
    type: String(view.type),
    blocks: record.view.blocks,
    private_metadata: String(view.private_metadata ?? ""),
    callback_id: String(view.callback_id ?? ""),
    state: { values: record.state as Record<string, Record<string, { type: string }>> },
    hash: record.hash,
    title: home ? { type: "plain_text" as const, text: "View Title", emoji: true } : (view.title as PlainText),
    clear_on_close: view.clear_on_close === true,
    notify_on_close: view.notify_on_close === true,
    close: (view.close ?? null) as PlainText | null,
    submit: (view.submit ?? null) as PlainText | null,
    previous_view_id: record.previousId ?? null,
    root_view_id: record.rootId,
    app_id: world.appId,
    external_id: String(view.external_id ?? ""),
    app_installed_team_id: world.team.id,
    bot_id: world.bot.botId,
  };
}

interface PlainText {
  readonly type: "plain_text";
  readonly text: string;
}
