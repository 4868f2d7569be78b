import { type PlanWindow, planWindows } from "../../access/index.ts";
import { issueTokens } from "../../attention/index.ts";
import type { Button } from "../../chat/index.ts";
import { allows } from "../../people/index.ts";
import {
  type ByPayer,
  type Period,
  periods,
  spanOf,
  tokensOf,
  type UsageLine,
  type UsageReport,
  usageReport,
} from "../../usage/index.ts";
import type { Words } from "../../words/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { momentOf } from "./moments.ts";

export interface UsageCard {
  readonly text: string;
  readonly buttons: readonly (readonly Button[])[];
}

/** Admins see what everybody used, others what they did. */
export function seesAll({ person }: Pick<PersonScene, "person">): boolean {
  return allows(person.role, "admin");
}

export function reportFor(scene: PersonScene, period: Period): Promise<UsageReport> {
  const { unit, deps, person } = scene;
  const span = spanOf(period, deps.clock.now(), person.timezone);
  return usageReport(unit.db, span, seesAll(scene) ? null : person.id);
}

export async function usageCard(scene: PersonScene, period: Period): Promise<UsageCard> {
  const report = await reportFor(scene, period);
  const parts = [summary(scene, report), ...(seesAll(scene) ? [await planLines(scene)] : [])];
  return {
    text: parts.filter((part) => part !== "").join("\n\n"),
    buttons: await buttons(scene, period, tokensOf(report.total) > 0),
  };
}

function summary(scene: PersonScene, report: UsageReport): string {
  const words = scene.words.usage;
  const { period } = report.span;
  const all = seesAll(scene);
  const title = `**${all ? words.title[period] : words.yourTitle[period]}**`;
  if (tokensOf(report.total) === 0) {
    return `${title}\n\n${all ? words.nothing[period] : words.nothingOfYours[period]}`;
  }
  return [
    [title, ...totals(report.total, words)].join("\n\n"),
    listed(words.teammates, report.teammates, report.total, words),
    ...(all ? [listed(words.people, report.people, report.total, words)] : []),
  ].join("\n\n");
}

function totals({ plan, key }: ByPayer, words: Words["usage"]): readonly string[] {
  const [read, cached, written] = [
    plan.input + key.input,
    plan.cachedInput + key.cachedInput,
    plan.output + key.output,
  ];
  const share = read === 0 ? 0 : Math.round((100 * cached) / read);
  const paid = [
    ...(plan.runs > 0 ? [words.plan(words.tokens(plan.input + plan.output), plan.runs)] : []),
    ...(key.runs > 0 ? [words.key(words.tokens(key.input + key.output), key.runs)] : []),
  ];
  return [...paid, words.readAndWritten(words.tokens(read), share, words.tokens(written))];
}

const mostListed = 12;

function listed(heading: string, lines: readonly UsageLine[], total: ByPayer, words: Words["usage"]): string {
  const shown = lines.length <= mostListed ? lines : lines.slice(0, mostListed - 1);
  const rest = lines.slice(shown.length);
  const others = rest.reduce((sum, line) => sum + tokensOf(line), 0);
  return [
    `**${heading}**`,
    "",
    ...shown.map((line) => lineOf(line, total, words)),
    ...(rest.length === 0 ? [] : [words.line(words.others(rest.length), words.tokens(others))]),
  ].join("\n");
}

/** Who pays is said where it is not the same for everything. */
function lineOf(line: UsageLine, total: ByPayer, words: Words["usage"]): string {
  const name = line.name === null ? words.unasked : plain(line.name);
  const [plan, key] = [line.plan.input + line.plan.output, line.key.input + line.key.output];
  if (plan > 0 && key > 0) return words.lineOfBoth(name, words.tokens(plan), words.tokens(key));
  if (key > 0 && total.plan.runs > 0) return words.lineOfKey(name, words.tokens(key));
  return words.line(name, words.tokens(plan + key));
}

async function planLines(scene: PersonScene): Promise<string> {
  const { primary, secondary } = await planWindows(scene.unit.db);
  const lines = [primary, secondary].flatMap((window) => (window === null ? [] : windowLine(scene, window)));
  return lines.length === 0 ? "" : [`**${scene.words.usage.planLimits}**`, ...lines].join("\n\n");
}

function windowLine(
  { deps, person, words }: PersonScene,
  { usedPercent, windowMinutes, resetsAt }: PlanWindow,
): string {
  const now = deps.clock.now();
  const name = words.usage.windowName(windowMinutes);
  // Over since then, and nothing was used of the next one yet: Codex would have told.
  if (resetsAt !== null && resetsAt <= now) return words.usage.window(name, 0, undefined);
  return words.usage.window(
    name,
    usedPercent,
    resetsAt === null ? undefined : momentOf(resetsAt, now, person.timezone),
  );
}

async function buttons(scene: PersonScene, period: Period, hasPicture: boolean): Promise<UsageCard["buttons"]> {
  const { unit, person, place, deps, connectionId } = scene;
  const words = scene.words.usage;
  const tokens = await issueTokens(unit, {
    choices: [
      ...periods.map((each) => ({ key: each, action: "usage_show", payload: { period: each } })),
      { key: "picture" as const, action: "usage_picture", payload: { period } },
    ],
    personId: person.id,
  });
  // A file cannot be shown to one person alone.
  const canDraw = hasPicture && place.kind === "dm" && deps.adapters.get(connectionId)?.upload !== undefined;
  const shown = periods.map((each) => ({
    label: each === period ? `✓ ${words.periods[each]}` : words.periods[each],
    token: tokens[each],
  }));
  return [shown, ...(canDraw ? [[{ label: words.asPicture, token: tokens.picture }]] : [])];
}
