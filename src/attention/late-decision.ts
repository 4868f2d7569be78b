import type { Unit } from "../storage/index.ts";
import { insertSystemMessage, type StoredItem, settle } from "./attention.store.ts";
import { withoutShell } from "./command-words.ts";
import { answerTo } from "./question.ts";

/** The mailbox's `deliver`, for a decision that comes after its turn ended. */
export type Deliver = (
  unit: Unit,
  delivery: {
    readonly messageId: string;
    readonly teammateId: string;
    readonly conversationId: string;
    readonly requesterPersonId: string | null;
    readonly trigger: "approval_decision" | "answer";
    readonly idempotencyKey: string;
  },
) => Promise<unknown>;

/**
 * Turns a decision that no turn waits for into a delivery that states it. Only what a person decided is news: what ran out or was
 * stopped is closed silently. False when there is nothing to do any more.
 */
export async function deliverDecision(unit: Unit, item: StoredItem, deliver: Deliver, now: Date): Promise<boolean> {
  if (!(await settle(unit.db, item.id, now))) return false;
  const text = decisionText(item);
  if (text === null) return false;
  const { conversationId, teammateId } = item;
  const messageId = await insertSystemMessage(unit.db, { conversationId, text, now });
  await deliver(unit, {
    messageId,
    teammateId,
    conversationId,
    requesterPersonId: item.requesterPersonId ?? item.decision?.by?.id ?? null,
    trigger: item.details.kind === "question" ? "answer" : "approval_decision",
    idempotencyKey: `decision:${item.id}`,
  });
  return true;
}

/** What the teammate is told: who decided what, on exactly which request. Null where nobody decided. */
export function decisionText(item: StoredItem): string | null {
  const { decision, decidedAt } = item;
  if (decision?.by == null || decidedAt === null) return null;
  if (decision.choice === "answer" || decision.choice === "skip") return answerText(item, decision.by.name, decidedAt);
  const verdict = verdicts[decision.choice];
  if (verdict === null) return null;
  const lines = [
    `Decision on your earlier request (asked ${item.createdAt.toISOString()}): ${verdict.word} by ${decision.by.name} at ${decidedAt.toISOString()}.`,
    "What was asked:",
    quoted(asked(item)),
    ...(decision.note === undefined ? [] : [`Note from ${decision.by.name}:`, quoted(decision.note)]),
    verdict.follow,
  ];
  return lines.join("\n");
}

/** Who answered what, to exactly which questions. */
function answerText({ details, answers, createdAt }: StoredItem, name: string, at: Date): string | null {
  if (details.kind !== "question") return null;
  const lines = details.questions.flatMap((question) => {
    const values = answerTo(answers, question)?.values ?? [];
    const answer = values.length === 0 ? ["Answer: none, it was skipped."] : ["Answer:", quoted(values.join("\n"))];
    return ["Question:", quoted(question.question), ...answer];
  });
  return [
    `Answer to what you asked earlier (asked ${createdAt.toISOString()}), by ${name} at ${at.toISOString()}.`,
    ...lines,
    "Go on with that now. Don't ask the same again.",
  ].join("\n");
}

const goOn = "Do exactly this now, and nothing beyond it. Anything else needs a new request.";
const verdicts = {
  approve: { word: "approved", follow: goOn },
  approve_session: { word: "approved", follow: goOn },
  always: { word: "approved", follow: goOn },
  deny: {
    word: "denied",
    follow: "Do not do it, and do not reach it another way. Say so in a sentence, and what you can do instead.",
  },
  stop: null,
  expired: null,
  cancelled: null,
} as const;

function asked({ details }: StoredItem): string {
  switch (details.kind) {
    case "request_approval":
      return `${details.title}\n${details.details}`;
    case "command":
      return `Run in ${details.cwd}: ${withoutShell(details.command)}`;
    case "file_change":
      return details.files.map((file) => `${file.change} ${file.path}`).join("\n");
    case "mcp_tool":
      return `Use the tool ${details.tool} of ${details.server}`;
    case "link":
      return `Open ${details.url} for ${details.server}`;
    case "question":
      return details.questions.map(({ question }) => question).join("\n");
    case "permissions":
      return `More rights: ${JSON.stringify(details.permissions)}`;
  }
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
