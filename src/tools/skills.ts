import { z } from "zod";
import { redact } from "../shared/index.ts";
import { type Bundle, bundleInside, bundleOfFolder, type InstalledSkill } from "../skills/index.ts";
import { inTransaction, type Unit } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import type { ToolRooms } from "./rooms.ts";
import {
  type AnyTool,
  checked,
  said,
  type Tool,
  type ToolContext,
  type ToolDecision,
  type ToolResult,
} from "./tool.ts";

const args = z.strictObject({
  action: z.enum(["install", "enable", "disable", "uninstall"]),
  name: z.string().max(64).optional().describe("For all but install."),
  path: z.string().max(1_000).optional().describe("For install: a folder with a SKILL.md in your workspace."),
});

const waitMs = 10 * 60_000;
const longestText = 20_000;

/** Install, enable and remove skills: a teammate's own, and nothing new without a person's word. */
export function skillTools(rooms: ToolRooms): readonly AnyTool[] {
  const asked = createAsked();
  const tool: Tool<typeof args> = {
    name: "manage_skill",
    description: "Your own skills. install and enable wait for a person's approval; uninstall only what you installed.",
    args,
    async run({ action, name, path }, context) {
      if (action === "install") {
        return path === undefined ? said("Say which folder: path.", false) : install(rooms, asked, path, context);
      }
      const skill = name === undefined ? undefined : await rooms.skills.byName(rooms.db, name);
      if (!skill) return said(`There is no skill called ${JSON.stringify(name ?? "")}.`, false);
      switch (action) {
        case "enable":
          return enable(rooms, asked, skill, context);
        case "disable":
          return disable(rooms, skill, context);
        case "uninstall":
          return uninstall(rooms, skill, context);
      }
    },
  };
  return [checked(tool)];
}

async function install(rooms: ToolRooms, asked: Asked, path: string, context: ToolContext): Promise<ToolResult> {
  const { teammateId } = context.caller;
  const bundle = await bundleInside(context.workspace, path);
  if (typeof bundle === "string") return said(`Not installed: ${wordsFor(null).skills.problems[bundle]}`, false);
  const words = wordsFor(null).skills.asks;
  const texts = { title: words.install(bundle.name), details: detailsOf(bundle) };
  const decision = await asked.decision(context, `install:${bundle.contentHash}`, texts);
  if (!isApproved(decision)) return notApproved(decision);
  const by = { kind: "teammate", teammateId, approvedBy: context.caller.requesterId } as const;
  const done = await unit(rooms, (each) => rooms.skills.install(each, bundle, by));
  switch (done.kind) {
    case "installed":
      return said(`Installed: ${bundle.name}. You have it from your next turn on.`);
    case "name_taken":
      return said("Not installed: a skill of that name is there already, and not yours to replace.", false);
    case "too_many":
      return said("Not installed: you have as many skills as there may be. Disable one first.", false);
  }
}

async function enable(
  rooms: ToolRooms,
  asked: Asked,
  skill: InstalledSkill,
  context: ToolContext,
): Promise<ToolResult> {
  const { teammateId } = context.caller;
  if (skill.teammates.includes(teammateId)) return said(`You have ${skill.name} already.`);
  const bundle = await bundleOfFolder(skill.folder);
  if (typeof bundle === "string") return said("Its files are not there. Tell the owner.", false);
  const words = wordsFor(null).skills.asks;
  const texts = { title: words.enable(skill.name), details: detailsOf(bundle) };
  const decision = await asked.decision(context, `enable:${skill.id}:${skill.contentHash}`, texts);
  if (!isApproved(decision)) return notApproved(decision);
  const done = await unit(rooms, (each) => rooms.skills.enable(each, skill.id, teammateId, null));
  if (done === "enabled") return said(`Enabled: ${skill.name}. You have it from your next turn on.`);
  return said(
    done === "gone"
      ? "Not enabled: it was removed meanwhile."
      : "Not enabled: you have as many skills as there may be. Disable one first.",
    false,
  );
}

async function disable(rooms: ToolRooms, skill: InstalledSkill, { caller }: ToolContext): Promise<ToolResult> {
  await unit(rooms, (each) => rooms.skills.disable(each, skill.id, caller.teammateId, null));
  return said(`Disabled: ${skill.name} is gone from your workspace from your next turn on.`);
}

async function uninstall(rooms: ToolRooms, skill: InstalledSkill, { caller }: ToolContext): Promise<ToolResult> {
  const done = await unit(rooms, (each) => rooms.skills.remove(each, skill.id, { teammateId: caller.teammateId }));
  return done === "not_yours"
    ? said("Not removed: somebody else brought it, or has it too. You can disable it for yourself.", false)
    : said(`Removed: ${skill.name}.`);
}

/** A skill is standing instruction: whoever approves it sees the words and what else is in it. */
function detailsOf({ description, files, contentHash }: Bundle): string {
  const skillFile = files.find(({ path }) => path === "SKILL.md");
  const text = skillFile === undefined ? "" : redact(Buffer.from(skillFile.bytes).toString("utf8"));
  const others = files.filter((file) => file !== skillFile).map(({ path, bytes }) => `- ${path} (${bytes.length} B)`);
  const list = others.length === 0 ? [] : ["", ...others];
  return redact(
    [description, "", text.slice(0, longestText).toWellFormed(), ...list, "", `sha256 ${contentHash}`].join("\n"),
  );
}

interface Asked {
  decision(
    context: ToolContext,
    what: string,
    texts: { readonly title: string; readonly details: string },
  ): Promise<ToolDecision | null>;
}

/**
 * Asks once for exactly one content. A decision that comes after the wait is found by the next call about the same; after
 * a restart it is asked for again.
 */
function createAsked(): Asked {
  const open = new Map<string, string>();
  return {
    async decision(context, what, { title, details }) {
      const key = `${context.caller.teammateId}:${what}`;
      const known = open.get(key);
      const attentionId = known ?? (await ask(context, what, title, details));
      open.set(key, attentionId);
      const decision = await context.waitForDecision(attentionId, known === undefined ? waitMs : 0);
      if (decision !== null) open.delete(key);
      return decision;
    },
  };
}

async function ask(context: ToolContext, what: string, title: string, details: string): Promise<string> {
  const { attentionId } = await context.openApproval({
    // Part of the id: the same call that comes again with another content is another request.
    callId: `${context.callId}:${what}`,
    title,
    details,
    reversible: true,
    risk: "high",
    waitMs,
  });
  return attentionId;
}

function isApproved(decision: ToolDecision | null): boolean {
  return decision?.choice === "approve" || decision?.choice === "approve_session" || decision?.choice === "always";
}

function notApproved(decision: ToolDecision | null): ToolResult {
  if (decision === null) {
    return said(
      "Nobody has decided yet. End your turn with one sentence that says what you wait for. When you are told that it was approved, call this again.",
      false,
    );
  }
  const note =
    decision.note === undefined ? "" : ` They added: ${JSON.stringify(redact(decision.note).slice(0, 1_000))}.`;
  return said(`Not approved (${decision.choice}): leave it as it is.${note}`, false);
}

function unit<T>({ db, log }: Pick<ToolRooms, "db" | "log">, work: (unit: Unit) => Promise<T>): Promise<T> {
  return inTransaction(db, log, work);
}
