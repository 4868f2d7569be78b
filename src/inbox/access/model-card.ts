import {
  type Accounts,
  type Backup,
  isSameBackup,
  isThere,
  type ListedModel,
  listModels,
  type ModelLeft,
  mostBackups,
  type Payer,
  readAccounts,
  readBackups,
  whoPays,
} from "../../access/index.ts";
import { issueTokens } from "../../attention/index.ts";
import type { Button, Post, Select } from "../../chat/index.ts";
import { allows, type Role } from "../../people/index.ts";
import { efforts, type Teammate } from "../../teammates/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { timeFor } from "./login-card.ts";

/** What the controls are about: on a phone all of them at once would be a wall of buttons. */
export const modelViews = ["facts", "model", "effort", "backups"] as const;
export type ModelView = (typeof modelViews)[number];

const lifetimeMs = 7 * 24 * 60 * 60_000;
const mostOptions = 25;

interface Facts {
  readonly teammate: Teammate;
  readonly accounts: Accounts;
  readonly backups: readonly Backup[];
  /** Null where it answers with its own. */
  readonly left: ModelLeft | null;
  readonly models: readonly ListedModel[];
  readonly usual: ListedModel | undefined;
}

/** Which model answers for a teammate, why, and who pays; with controls for those who may change it. */
export async function modelCard(
  scene: PersonScene,
  teammate: Teammate,
  view: ModelView = "facts",
): Promise<Pick<Post, "text" | "buttons" | "selects">> {
  const { db } = scene.unit;
  const [accounts, { list, left }, models] = await Promise.all([
    readAccounts(db),
    readBackups(db, teammate.id),
    listModels(db),
  ]);
  const isOver = left?.until !== null && left?.until !== undefined && left.until <= scene.deps.clock.now();
  const usual = models.find(({ isDefault }) => isDefault);
  const facts: Facts = { teammate, accounts, backups: list, left: isOver ? null : left, models, usual };
  const text = textOf(scene, facts);
  return allows(scene.person.role, "manager") ? { text, ...(await controls(scene, facts, view)) } : { text };
}

function textOf(scene: PersonScene, facts: Facts): string {
  const words = scene.words.access;
  const { teammate, backups, left, models } = facts;
  const effort = teammate.effort ?? models.find(({ id }) => id === ownModel(facts))?.defaultEffort;
  const lines = [
    answersWith(scene, facts),
    ...(effort === null || effort === undefined ? [] : [words.effortLine(effortName(scene, effort))]),
    payerLine(scene, facts, left?.to.payer ?? undefined),
    words.backupsLine(backups.map(({ model, payer }) => words.backupName(plain(model), payer ?? null))),
  ];
  return `${words.modelCard(plain(teammate.name))}\n\n${lines.join("\n")}`;
}

function ownModel({ teammate, usual }: Facts): string | undefined {
  return teammate.model ?? usual?.id;
}

function answersWith(scene: PersonScene, facts: Facts): string {
  const words = scene.words.access;
  const { teammate, left } = facts;
  if (left !== null) {
    const until = left.until === null ? null : timeFor(scene, left.until);
    const from = left.from === null ? null : plain(left.from);
    return words.answersWith(plain(left.to.model), words.why.backup(from, left.cause, until));
  }
  const model = ownModel(facts);
  const why = teammate.model === null ? words.why.usual : words.why.own;
  return words.answersWith(model === undefined ? words.codexChoice : plain(model), why);
}

function payerLine(scene: PersonScene, { accounts }: Facts, wish: Payer | undefined): string {
  const words = scene.words.access;
  const paying = whoPays(accounts, { wish, now: scene.deps.clock.now() });
  if (paying.kind !== "pays") return words.payerNone;
  return paying.account.source === "endpoint" ? words.payerEndpoint : words.payerLine(paying.account.kind);
}

function effortName({ words }: PersonScene, effort: string): string {
  const known = efforts.find((each) => each === effort);
  return known === undefined ? effort : words.teammates.effort[known];
}

/** One thing to choose: its token's key is what it carries. */
interface Choice {
  readonly label: string;
  readonly description?: string | undefined;
  readonly current?: boolean;
  readonly action: string;
  readonly payload: object;
  readonly minRole?: Role | undefined;
}

interface Chooser {
  readonly label: string;
  readonly options: readonly Choice[];
}

async function controls(scene: PersonScene, facts: Facts, view: ModelView): Promise<Pick<Post, "buttons" | "selects">> {
  const { unit, deps } = scene;
  const choosers = choosersIn(scene, facts, view).filter(({ options }) => options.length > 0);
  const rows = rowsIn(scene, facts, view);
  const all = [...choosers.flatMap(({ options }) => options), ...rows.flat()];
  const tokens = await issueTokens(unit, {
    choices: all.map((each) => ({
      key: keyOf(each),
      action: each.action,
      payload: each.payload,
      minRole: each.minRole,
    })),
    minRole: "manager",
    expiresAt: new Date(deps.clock.now().getTime() + lifetimeMs),
  });
  const token = (choice: Choice): string => {
    const found = tokens[keyOf(choice)];
    if (found === undefined) throw new Error(`no token was made for ${keyOf(choice)}`);
    return found;
  };
  return {
    selects: choosers.map(
      ({ label, options }): Select => ({
        label,
        options: options.map((each) => ({
          label: each.label,
          description: each.description,
          current: each.current,
          token: token(each),
        })),
      }),
    ),
    buttons: rows.map((row) => row.map((each): Button => ({ label: each.label, token: token(each) }))),
  };
}

function choosersIn(scene: PersonScene, facts: Facts, view: ModelView): readonly Chooser[] {
  switch (view) {
    case "facts":
      return [];
    case "model":
      return [modelChoices(scene, facts)];
    case "effort":
      return [effortChoices(scene, facts)];
    case "backups":
      return [backupChoices(scene, facts)];
  }
}

function rowsIn(scene: PersonScene, facts: Facts, view: ModelView): readonly (readonly Choice[])[] {
  const words = scene.words.access;
  const { teammate, backups, left } = facts;
  const teammateId = teammate.id;
  const open = (to: ModelView): Choice => ({
    label: words.modelViews[to],
    action: "access_model_view",
    payload: { teammateId, view: to },
  });
  const goBack: Choice = { label: words.goBack, action: "access_model_back", payload: { teammateId } };
  const removes = backups.map(
    ({ model, payer = null }): Choice => ({
      label: words.removeBackup(words.backupName(model, payer)),
      action: "access_backup_remove",
      payload: { teammateId, model, payer },
    }),
  );
  if (view === "facts") return [[open("model"), open("effort"), open("backups")], ...(left === null ? [] : [[goBack]])];
  const rows = view === "backups" ? removes.map((each) => [each]) : [];
  return [...rows, [open("facts")]];
}

function keyOf({ action, payload }: Choice): string {
  return `${action}:${JSON.stringify(payload)}`;
}

function modelChoices(scene: PersonScene, { teammate, models, usual }: Facts): Chooser {
  const words = scene.words.access;
  const choice = (model: string | null, label: string, description?: string): Choice => ({
    label,
    description: description === "" ? undefined : description,
    current: teammate.model === model,
    action: "access_model",
    payload: { teammateId: teammate.id, model },
  });
  return {
    label: words.modelSelect,
    options: [
      choice(null, usual === undefined ? words.usual : words.usualIs(usual.name)),
      ...models.slice(0, mostOptions - 1).map(({ id, name, description }) => choice(id, name, description)),
    ],
  };
}

function effortChoices(scene: PersonScene, facts: Facts): Chooser {
  const { teammate, models } = facts;
  const offered = models.find(({ id }) => id === ownModel(facts))?.efforts;
  const possible = efforts.filter((each) => offered === undefined || offered.length === 0 || offered.includes(each));
  return {
    label: scene.words.access.effortSelect,
    options: [null, ...possible].map((effort) => ({
      label: effort === null ? scene.words.access.usual : scene.words.teammates.effort[effort],
      current: teammate.effort === effort,
      action: "access_effort",
      payload: { teammateId: teammate.id, effort },
    })),
  };
}

/** With the key paying, a backup spends money where the plan would not: that is for those who decide about it. */
function backupChoices(scene: PersonScene, facts: Facts): Chooser {
  const words = scene.words.access;
  const { teammate, models, backups, accounts } = facts;
  const isChoice = isThere(accounts.plan) && isThere(accounts.key) && accounts.key.source !== "endpoint";
  const possible = models.flatMap(({ id, name }): (Backup & { readonly label: string })[] => {
    const same = id === ownModel(facts) ? [] : [{ model: id, payer: null, label: words.asBackup(name) }];
    const onKey = { model: id, payer: "api_key" as const, label: words.asBackup(words.onKey(name)) };
    return isChoice ? [...same, onKey] : same;
  });
  const fresh = possible.filter((each) => !backups.some((known) => isSameBackup(known, each)));
  return {
    label: words.backupSelect,
    options: (backups.length >= mostBackups ? [] : fresh.slice(0, mostOptions)).map(({ label, model, payer }) => ({
      label,
      action: "access_backup_add",
      payload: { teammateId: teammate.id, model, payer },
      minRole: payer === "api_key" ? "admin" : undefined,
    })),
  };
}
