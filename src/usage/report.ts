import type { Db } from "../storage/index.ts";
import type { Span } from "./period.ts";
import { type SummedRow, sumUsage } from "./usage.store.ts";

/** What was used and by how many runs. */
export interface Amount {
  readonly runs: number;
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/** The plan is used up in windows, a key costs money: they are never added to each other without saying so. */
export interface ByPayer {
  readonly plan: Amount;
  readonly key: Amount;
}

export interface UsageLine extends ByPayer {
  /** Null for what nobody asked for. */
  readonly name: string | null;
}

export interface UsageReport {
  readonly span: Span;
  readonly total: ByPayer;
  /** Most used first. */
  readonly teammates: readonly UsageLine[];
  readonly people: readonly UsageLine[];
  /** One for each step of the span. */
  readonly steps: readonly ByPayer[];
}

const nothing: Amount = { runs: 0, input: 0, cachedInput: 0, output: 0 };
const none: ByPayer = { plan: nothing, key: nothing };

/** What was read and what was written. */
export function tokensOf({ plan, key }: ByPayer): number {
  return plan.input + plan.output + key.input + key.output;
}

/** What everybody used, or one person. */
export async function usageReport(db: Db, span: Span, personId: string | null): Promise<UsageReport> {
  const rows = await sumUsage(db, { ...span, personId });
  const of = (over: SummedRow["over"]) => rows.filter((row) => row.over === over);
  return {
    span,
    total: of("all").reduce(add, none),
    teammates: lines(of("teammate")),
    people: lines(of("person")),
    steps: span.steps.map((_, index) =>
      of("step")
        .filter((row) => row.step === index + 1)
        .reduce(add, none),
    ),
  };
}

function add(sum: ByPayer, row: SummedRow): ByPayer {
  const payer = row.payer === "plan" ? "plan" : "key";
  const { runs, input, cachedInput, output } = sum[payer];
  return {
    ...sum,
    [payer]: {
      runs: runs + row.runs,
      input: input + row.input,
      cachedInput: cachedInput + row.cachedInput,
      output: output + row.output,
    },
  };
}

/** One for each teammate or person: two may have the same name. */
function lines(rows: readonly SummedRow[]): readonly UsageLine[] {
  const found = new Map<string | null, UsageLine>();
  for (const row of rows) {
    found.set(row.id, { name: row.name, ...add(found.get(row.id) ?? none, row) });
  }
  return [...found.values()].sort((one, other) => tokensOf(other) - tokensOf(one));
}
