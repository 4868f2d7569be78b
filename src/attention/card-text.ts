import { clip, oneLine } from "../chat/index.ts";
import type { Words } from "../words/index.ts";
import { offeredPrefix } from "./card-choices.ts";
import { withoutShell } from "./command-words.ts";
import { code, fenced, paragraphs, plain, strong } from "./markup.ts";
import { permissionLines } from "./permission-words.ts";
import { questionFile, questionSummary } from "./question-text.ts";
import type { ApprovalDetails, AttentionDetails, AttentionItem } from "./types.ts";

type ApprovalWords = Words["approval"];

/** What is shown of a long detail; the whole card then fits one message anywhere. */
const preview = { characters: 900, lines: 14, files: 10, title: 200, reason: 300, path: 200 } as const;

/** The text of a card: who asks for what, and all of it that fits. */
export function cardText(
  item: Pick<AttentionItem, "teammateName"> & { readonly details: ApprovalDetails },
  { approval: words, questions }: Words,
): string {
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
        details.grantRoot !== undefined && words.grants(code(clip(details.grantRoot, preview.path))),
        details.reason !== undefined && words.because(plain(clip(details.reason, preview.reason))),
      );
    }
    case "permissions": {
      const shown = first(wholeDetail(details));
      return paragraphs(
        strong(words.asks.permissions(name)),
        rightsList(details.permissions, words) ?? fenced(shown.text, "json"),
        shown.cut && words.wholeInFile,
        details.reason !== undefined && words.because(plain(clip(details.reason, preview.reason))),
      );
    }
    case "request_approval": {
      const shown = first(details.details);
      return paragraphs(
        strong(words.asks.action(name, plain(clip(details.title, preview.title)))),
        plain(shown.text),
        shown.cut && words.wholeInFile,
        !details.reversible && words.irreversible,
      );
    }
    case "mcp_tool": {
      const { tool, server } = details;
      const shown = first(wholeDetail(details));
      return paragraphs(
        strong(words.asks.mcpTool(name, plain(clip(tool, preview.title)), plain(clip(server, preview.title)))),
        parameterLines(details.parameters) ?? fenced(shown.text, ""),
        shown.cut && words.wholeInFile,
      );
    }
    case "link": {
      const message = plain(clip(oneLine(details.message), preview.reason));
      return paragraphs(strong(questions.opens(name, plain(details.server), message)), code(details.url));
    }
  }
}

/** Short ones as a list, as people read them; null where they are long. */
function parameterLines(parameters: readonly { readonly name: string; readonly value: string }[]): string | null {
  const isShort = ({ value }: { value: string }) => value.length <= preview.path && !value.includes("\n");
  if (parameters.length > preview.files || !parameters.every(isShort)) return null;
  return parameters.map(({ name, value }) => `- ${plain(name)}: ${code(value)}`).join("\n");
}

/** The rest of a detail that the card only begins, as a file; null when the card shows all of it. */
export function cardFile(details: AttentionDetails): { readonly name: string; readonly text: string } | null {
  if (details.kind === "question") return questionFile(details);
  const text = details.kind === "command" ? withoutShell(details.command) : wholeDetail(details);
  if (!first(text).cut) return null;
  const names = {
    command: "command.sh",
    file_change: "changes.diff",
    permissions: "permissions.json",
    request_approval: "details.txt",
    mcp_tool: "parameters.txt",
    link: "link.txt",
  };
  return { name: names[details.kind], text };
}

function wholeDetail(details: ApprovalDetails): string {
  switch (details.kind) {
    case "command":
      return details.command;
    case "file_change":
      return details.files.map((file) => diffOf(file)).join("\n");
    case "permissions":
      return JSON.stringify(details.permissions, null, 2) ?? "";
    case "request_approval":
      return details.details;
    case "mcp_tool":
      return details.parameters.map(({ name, value }) => `${name}: ${value}`).join("\n");
    case "link":
      return details.url;
  }
}

function diffOf({ path, change, diff }: { path: string; change: string; diff: string }): string {
  return `--- ${change === "add" ? "/dev/null" : path}\n+++ ${change === "delete" ? "/dev/null" : path}\n${diff.trimEnd()}`;
}

/** What an item is about in a few words, plain. */
export function summaryOf(
  { details, answers }: Pick<AttentionItem, "details" | "answers">,
  words: ApprovalWords,
): string {
  switch (details.kind) {
    case "command":
      return words.summary.command(clip(oneLine(withoutShell(details.command)), 80));
    case "file_change":
      return words.summary.fileChange(details.files.length, details.files[0]?.path ?? "");
    case "permissions":
      return words.summary.permissions;
    case "request_approval":
      return clip(oneLine(details.title), 80);
    case "mcp_tool":
      return words.summary.mcpTool(clip(details.tool, 60), clip(details.server, 60));
    case "link":
      return words.summary.link(clip(details.server, 60));
    case "question":
      return questionSummary({ details, answers });
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
    .map((file) => `- ${code(clip(file.path, 80))} (${words.change[file.change]})`);
  const more = files.length - shown.length;
  return [...shown, ...(more > 0 ? [`- ${words.moreFiles(more)}`] : [])].join("\n");
}

function context(folder: string, reason: string | undefined, words: ApprovalWords): string {
  const where = folder === "" ? [] : [words.folder(code(clip(folder, preview.path)))];
  const why = reason === undefined ? [] : [words.because(plain(clip(reason, preview.reason)))];
  return [...where, ...why].join(" · ");
}

function first(text: string): { text: string; cut: boolean } {
  const lines = text.trimEnd().split("\n");
  const start = lines.slice(0, preview.lines).join("\n").slice(0, preview.characters);
  return { text: start.toWellFormed(), cut: start.length < text.trimEnd().length };
}
