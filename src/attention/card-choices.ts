import { type Button, clip } from "../chat/index.ts";
import type { Words } from "../words/index.ts";
import { commandWords, isSafePrefix, startsWith } from "./command-words.ts";
import { visible } from "./markup.ts";
import type { AttentionDetails, AttentionItem, Choice } from "./types.ts";

/** A choice that a button offers. */
export type Offered = Exclude<Choice, "answer" | "skip" | "expired" | "cancelled">;
/** A denial with a reason asks for it in a form. */
export type CardChoice = Offered | "deny_with_note";

/** A rule longer than this nobody reads before they agree to it for good. */
const longestPrefix = 120;

/** The choices a card offers, in the order of its rows. */
export function offeredChoices(
  item: Pick<AttentionItem, "details" | "risk" | "runId">,
): readonly (readonly CardChoice[])[] {
  const { details } = item;
  const more: Offered[] = [];
  // What is dangerous is decided each time anew.
  if (item.risk === "normal") {
    if ("canApproveForSession" in details && details.canApproveForSession) more.push("approve_session");
    if (offeredRule(details) !== undefined) more.push("always");
  }
  const rows: readonly CardChoice[][] = [
    details.kind === "link" ? ["approve", "deny"] : ["approve", "deny", "deny_with_note"],
    more,
    item.runId === null ? [] : ["stop"],
  ];
  return rows.filter((row) => row.length > 0);
}

/**
 * The prefix that "always" would allow, in one line; undefined where it is not offered. For a script with shell syntax Codex
 * proposes the shell itself, and no rule of ours would ever fit it.
 */
export function offeredPrefix(details: AttentionDetails): string | undefined {
  if (details.kind !== "command" || details.amendment === undefined) return undefined;
  const words = commandWords(details.command);
  if (words === null || !startsWith(words, details.amendment) || !isSafePrefix(details.amendment)) return undefined;
  const prefix = details.amendment.join(" ");
  return prefix.length > longestPrefix ? undefined : prefix;
}

/** What "always" would allow, in words; undefined where it is not offered. */
export function offeredRule(details: AttentionDetails): string | undefined {
  if (details.kind !== "mcp_tool") return offeredPrefix(details);
  const rule = `${details.server}: ${details.tool}`;
  return details.canAlwaysApprove && rule.length <= longestPrefix ? rule : undefined;
}

export function cardButtons(
  item: Pick<AttentionItem, "details" | "risk" | "runId">,
  tokens: Readonly<Record<CardChoice, string>>,
  { approval: words, questions }: Words,
  limits: { readonly label: number; readonly forms: boolean },
): readonly (readonly Button[])[] {
  const label = (choice: CardChoice): string => {
    if (item.details.kind === "link" && choice === "approve") return questions.buttons.done;
    if (item.details.kind === "link" && choice === "deny") return questions.buttons.decline;
    switch (choice) {
      case "approve":
      case "deny":
      case "stop":
        return words.buttons[choice];
      case "deny_with_note":
        return words.buttons.denyWithNote;
      case "approve_session":
        return words.buttons.session;
      case "always":
        return words.buttons.always(offeredRule(item.details) ?? "");
    }
  };
  const style = {
    approve: "primary",
    deny: "danger",
    deny_with_note: undefined,
    approve_session: undefined,
    always: undefined,
    stop: undefined,
  } as const;
  return offeredChoices(item).map((row) =>
    row
      .filter((choice) => choice !== "deny_with_note" || limits.forms)
      .map((choice) => ({
        label: clip(visible(label(choice)), limits.label),
        token: tokens[choice],
        style: style[choice],
        ...(choice === "deny_with_note" ? { opensForm: true } : {}),
      })),
  );
}
