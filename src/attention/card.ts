import { type Button, type Post, plainDocument, toMarkdown } from "../chat/index.ts";
import type { Words } from "../words/index.ts";
import { commandWords, isSafePrefix, startsWith, withoutShell } from "./command-words.ts";
import { permissionLines } from "./permission-words.ts";
import { timeOfDay } from "./time.ts";
import type { AttentionDetails, AttentionItem, Choice } from "./types.ts";

type ApprovalWords = Words["approval"];
/** A choice that a button offers. */
export type Offered = Exclude<Choice, "expired" | "cancelled">;
/** A denial with a reason asks for it in a form. */
export type CardChoice = Offered | "deny_with_note";

/** What is shown of a long detail; the whole card then fits one message anywhere. */
const preview = { characters: 900, lines: 14, files: 10, title: 200, reason: 300, path: 200 } as const;
/** A rule longer than this nobody reads before they agree to it for good. */
const longestPrefix = 120;

/** The text of a card: who asks for what, and all of it that fits. */
export function cardText(item: Pick<AttentionItem, "teammateName" | "details">, words: ApprovalWords): string {
  const { details } = item;
  const name = plain(item.teammateName);
  switch (details.kind) {
    case "command": {
      const shown = first(withoutShell(details.command));
      const prefix = offeredPrefix(details);
      return paragraphs(
        strong(words.asks.command(name)),
        fenced(shown.text, "sh"),
        shown.cut && words.wholeInFile,
        context(details.folder ?? details.cwd, details.reason, words),
        prefix !== undefined && words.alwaysMeans(code(prefix)),
      );
    }
    case "file_change": {
      const whole = wholeDetail(details);
      const shown = first(whole);
      return paragraphs(
        strong(words.asks.fileChange(name, details.files.length)),
        fileList(details.files, words),
        fenced(shown.text, "diff"),
        shown.cut && words.wholeInFile,
        details.grantRoot !== undefined && words.grants(code(cut(details.grantRoot, preview.path))),
        details.reason !== undefined && words.because(plain(cut(details.reason, preview.reason))),
      );
    }
    case "permissions": {
      const shown = first(wholeDetail(details));
      return paragraphs(
        strong(words.asks.permissions(name)),
        rightsList(details.permissions, words) ?? fenced(shown.text, "json"),
        shown.cut && words.wholeInFile,
        details.reason !== undefined && words.because(plain(cut(details.reason, preview.reason))),
      );
    }
    case "request_approval": {
      const shown = first(details.details);
      return paragraphs(
        strong(words.asks.action(name, plain(cut(details.title, preview.title)))),
        plain(shown.text),
        shown.cut && words.wholeInFile,
        !details.reversible && words.irreversible,
      );
    }
  }
}

/** The same where others decide than where it was asked: they see for whom. */
export function copyText(
  item: Pick<AttentionItem, "teammateName" | "details" | "requesterName">,
  words: ApprovalWords,
) {
  const { requesterName: name } = item;
  return paragraphs(cardText(item, words), name !== null && words.askedFor(plain(name)));
}

/** The rest of a detail that the card only begins, as a file; null when the card shows all of it. */
export function cardFile(details: AttentionDetails): { readonly name: string; readonly text: string } | null {
  const text = details.kind === "command" ? withoutShell(details.command) : wholeDetail(details);
  if (!first(text).cut) return null;
  const names = {
    command: "command.sh",
    file_change: "changes.diff",
    permissions: "permissions.json",
    request_approval: "details.txt",
  };
  return { name: names[details.kind], text };
}

function wholeDetail(details: AttentionDetails): string {
  switch (details.kind) {
    case "command":
      return details.command;
    case "file_change":
      return details.files.map((file) => diffOf(file)).join("\n");
    case "permissions":
      return JSON.stringify(details.permissions, null, 2) ?? "";
    case "request_approval":
      return details.details;
  }
}

function diffOf({ path, change, diff }: { path: string; change: string; diff: string }): string {
  return `--- ${change === "add" ? "/dev/null" : path}\n+++ ${change === "delete" ? "/dev/null" : path}\n${diff.trimEnd()}`;
}

/** The choices a card offers, in the order of its rows. */
export function offeredChoices(
  item: Pick<AttentionItem, "details" | "risk" | "runId">,
): readonly (readonly CardChoice[])[] {
  const { details } = item;
  const more: Offered[] = [];
  // What is dangerous is decided each time anew.
  if (item.risk === "normal") {
    if ((details.kind === "command" || details.kind === "file_change") && details.canApproveForSession) {
      more.push("approve_session");
    }
    if (offeredPrefix(details) !== undefined) more.push("always");
  }
  const rows: readonly CardChoice[][] = [
    ["approve", "deny", "deny_with_note"],
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

export function cardButtons(
  item: Pick<AttentionItem, "details" | "risk" | "runId">,
  tokens: Readonly<Record<CardChoice, string>>,
  words: ApprovalWords,
  limits: { readonly label: number; readonly forms: boolean },
): readonly (readonly Button[])[] {
  const label = (choice: CardChoice): string => {
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
        return words.buttons.always(offeredPrefix(item.details) ?? "");
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
        label: cut(visible(label(choice)), limits.label),
        token: tokens[choice],
        style: style[choice],
        ...(choice === "deny_with_note" ? { opensForm: true } : {}),
      })),
  );
}

/** A closed card: the same text, no buttons, and how it ended. */
export function closedCard(item: AttentionItem, ending: string, words: ApprovalWords, isCopy = false): Post {
  const text = isCopy ? copyText(item, words) : cardText(item, words);
  return { text: `${text}\n\n${strong(ending)}`, notify: false };
}

export interface Reader {
  /** Of who decided. */
  readonly timezone: string | null;
  /** The platform on which it was decided, where that is not the card's own. */
  readonly elsewhere: string | undefined;
}

/** How a decision reads on the card. */
export function endingOf(item: AttentionItem, { timezone, elsewhere }: Reader, words: ApprovalWords): string {
  const { decision } = item;
  if (decision === null) return words.noLongerNeeded;
  const time = timeOfDay(item.decidedAt ?? item.createdAt, timezone);
  const name = plain(decision.by?.name ?? "");
  if (elsewhere !== undefined && decision.choice !== "expired" && decision.choice !== "cancelled") {
    return words.answeredIn(elsewhere, name, time, words.verdicts[decision.choice]);
  }
  switch (decision.choice) {
    case "approve":
      return words.approvedBy(name, time);
    case "approve_session":
      return words.approvedForTaskBy(name, time);
    case "always":
      return words.approvedAlwaysBy(name, time, plain(offeredPrefix(item.details) ?? ""));
    case "deny":
      return words.deniedBy(name, time);
    case "stop":
      return words.stoppedBy(name, time);
    case "expired":
      return words.expired;
    case "cancelled":
      return words.noLongerNeeded;
  }
}

/** What an item is about in a few words, plain. */
export function summaryOf(details: AttentionDetails, words: ApprovalWords): string {
  switch (details.kind) {
    case "command":
      return words.summary.command(cut(oneLine(withoutShell(details.command)), 80));
    case "file_change":
      return words.summary.fileChange(details.files.length, details.files[0]?.path ?? "");
    case "permissions":
      return words.summary.permissions;
    case "request_approval":
      return cut(oneLine(details.title), 80);
  }
}

function rightsList(permissions: unknown, words: ApprovalWords): string | null {
  const lines = permissionLines(permissions, words);
  if (lines === null || lines.length === 0 || lines.length > preview.files) return null;
  return lines.map((line) => `- ${plain(line)}`).join("\n");
}

function fileList(
  files: readonly { path: string; change: "add" | "update" | "delete" }[],
  words: ApprovalWords,
): string {
  const shown = files
    .slice(0, preview.files)
    .map((file) => `- ${code(cut(file.path, 80))} (${words.change[file.change]})`);
  const more = files.length - shown.length;
  return [...shown, ...(more > 0 ? [`- ${words.moreFiles(more)}`] : [])].join("\n");
}

function context(folder: string, reason: string | undefined, words: ApprovalWords): string {
  const where = folder === "" ? [] : [words.folder(code(cut(folder, preview.path)))];
  const why = reason === undefined ? [] : [words.because(plain(cut(reason, preview.reason)))];
  return [...where, ...why].join(" · ");
}

function paragraphs(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== "").join("\n\n");
}

function first(text: string): { text: string; cut: boolean } {
  const lines = text.trimEnd().split("\n");
  const start = lines.slice(0, preview.lines).join("\n").slice(0, preview.characters);
  return { text: start.toWellFormed(), cut: start.length < text.trimEnd().length };
}

function cut(text: string, limit: number): string {
  const letters = [...text];
  return letters.length <= limit ? text : `${letters.slice(0, limit - 1).join("")}…`;
}

const oneLine = (text: string) => text.replace(/\s+/gu, " ").trim();

/** Text from outside, shown as the letters it has: nothing in it becomes a link, a mention or a heading. */
function plain(text: string): string {
  return toMarkdown(plainDocument(visible(text)));
}

/** Characters that change what is seen and not what is run: directions, and what has no width. */
const invisible =
  /[\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\u3164\uFEFF]/gu;

/** Whoever approves must see what runs: `rm` written backwards, or a name with something unseen in it, shows as it is. */
function visible(text: string): string {
  return text.replace(
    invisible,
    (letter) => `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

const strong = (text: string) => `**${text}**`;

function code(text: string): string {
  const fence = fenceFor(text, 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${pad}${visible(oneLine(text))}${pad}${fence}`;
}

function fenced(text: string, language: string): string {
  if (text === "") return "";
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}

function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
  return "`".repeat(Math.max(least, longest + 1));
}
