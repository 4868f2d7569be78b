import { z } from "zod";
import type { Access, UsableAccess } from "../access/index.ts";
import { listRules } from "../attention/index.ts";
import type { StartedTurn } from "../codex/index.ts";
import { type McpSetup, withoutAsking } from "../mcp/index.ts";
import type { MemoryPacket } from "../memory/index.ts";
import type { Skill } from "../skills/index.ts";
import type { Teammate } from "../teammates/index.ts";
import { type ActiveRun, headOf } from "./active-run.ts";
import { colleaguesOf, lookAround } from "./around.ts";
import { fetchAttachments } from "./attachments.ts";
import type { RunDelivery } from "./deliveries.store.ts";
import { tellFileProblems } from "./file-problems.ts";
import { cutShort, editedSince } from "./history.store.ts";
import { buildPrompt } from "./prompt.ts";
import { skillsIn } from "./prompt-skills.ts";
import { readyWorkspace } from "./ready-workspace.ts";
import { reportsFor } from "./reports-told.ts";
import { instructionMessage, isForOneAlone, routineFrame } from "./routine-prompt.ts";
import { isFleeting } from "./routine-run.ts";
import { fleetingThread, timezoneOf } from "./routine-thread.ts";
import type { RunDeps } from "./settings.ts";
import { approvalPolicy, type ChosenThread, chooseThread, newThread, type ThreadNeeds } from "./thread-choice.ts";
import { currentThread, type ThreadRow } from "./threads.store.ts";
import type { PromptInput, PromptMessage, StoredFile } from "./types.ts";
import type { Workspace } from "./workspace.ts";

/** What the database says about a turn besides its messages. Asked for in one go, while the workspace is not needed yet. */
export interface Facts {
  readonly rules: readonly string[];
  readonly edited: readonly RunDelivery[];
  readonly thread: ThreadRow | undefined;
  readonly skills: readonly Skill[];
  readonly mcp: McpSetup;
  /** Everybody who works here, the teammate included. */
  readonly team: readonly Teammate[];
  /** What decides what the turn runs on. */
  readonly access: Awaited<ReturnType<Access["known"]>>;
}

export async function loadFacts(
  { db, skills, mcp, teammates, access }: Pick<RunDeps, "db" | "skills" | "mcp" | "teammates" | "access">,
  run: { readonly runId: string; readonly conversationId: string; readonly teammateId: string },
): Promise<Facts> {
  const [rules, edited, thread, known, servers, team, paying] = await Promise.all([
    listRules(db, run.teammateId),
    editedSince(db, run.conversationId, run.runId),
    currentThread(db, run.conversationId),
    skills.of(db, run.teammateId),
    mcp.setupFor(db, run.teammateId),
    teammates.list(db),
    access.known(db, run.teammateId),
  ]);
  const texts = rules.map((rule) => rule.text);
  return { rules: texts, edited, thread, skills: known, mcp: servers, team, access: paying };
}

/** What has to be there before a turn can be started. */
export interface Prepared {
  readonly workspace: Workspace;
  readonly needs: ThreadNeeds;
  readonly prompt: Omit<PromptInput, "handoff">;
}

export async function prepare(
  deps: RunDeps,
  run: ActiveRun,
  facts: Facts,
  how: { readonly attach: (threadId: string) => void; readonly isStart: boolean; readonly access: UsableAccess },
): Promise<Prepared> {
  const { rules, edited, thread } = facts;
  const { routine } = run;
  const readWorkspace = async () => {
    const made = await readyWorkspace(deps, run, facts);
    if (routine !== undefined) return [made, [instructionMessage(run, routine)]] as const;
    return [made, await promptMessages(deps, run, made.workspace, run.deliveries)] as const;
  };
  const colleagues = colleaguesOf(run, facts.team);
  // What is said where a routine was made has nothing to do with its run, and is told to whoever is asked there.
  const looks = how.isStart && !isFleeting(run);
  const [memory, around, reports, frame, [{ workspace, instructions }, messages]] = await Promise.all([
    remembered(deps, run),
    looks ? lookAround(deps, run, thread) : undefined,
    looks ? reportsFor(deps, run) : [],
    routine && routineFrame(deps, run, routine),
    readWorkspace(),
  ]);
  run.colleagues = colleagues;
  return {
    workspace,
    needs: {
      cwd: workspace.path,
      instructions,
      // A report that the prompt holds is not told once more as history.
      messageIds: [...run.deliveries, ...reports].flatMap(({ messageId }) => messageId ?? []),
      mcp: run.context.teammate.autonomy === "autonomous" ? withoutAsking(facts.mcp) : facts.mcp,
      memory,
      thread,
      access: how.access,
      attach: how.attach,
    },
    prompt: {
      ...surroundings(deps, run),
      kind: "start",
      messages,
      routine: frame,
      around: around && { ...around, colleagues },
      reports: reports.map(({ routineName, text, at }) => ({ name: routineName, text, at })),
      memories: memory.memories,
      skills: skillsIn(messages, facts.skills, workspace.path),
      rules,
      corrections: edited.map((each) => toPromptMessage(each, [], undefined)),
    },
  };
}

/** What the teammate remembers from where the run takes place, by what it is asked. */
async function remembered(deps: RunDeps, run: ActiveRun): Promise<MemoryPacket> {
  const { context, deliveries, routine } = run;
  const { teammate, place, requester } = context;
  const personId = (await isForOneAlone(deps, run)) ? (requester?.id ?? null) : null;
  const text = routine?.briefing.instruction ?? deliveries.map((each) => each.text).join("\n");
  return deps.memories.packet(deps.db, { teammateId: teammate.id, placeId: place.id, personId }, text);
}

/** What every prompt of a run says about where and when. */
export function surroundings(deps: Pick<RunDeps, "clock">, run: ActiveRun) {
  const { place, requester } = run.context;
  return {
    place: { kind: place.kind, title: place.title ?? undefined, platform: place.platform },
    now: deps.clock.now(),
    timezone: timezoneOf(run.routine?.briefing, requester?.timezone),
  };
}

/** Messages as the prompt shows them, their files fetched. */
export async function promptMessages(
  deps: RunDeps,
  run: ActiveRun,
  workspace: Workspace,
  deliveries: readonly RunDelivery[],
): Promise<PromptMessage[]> {
  const withFiles = deliveries.filter((each) => each.hasFiles).map((each) => each.messageId);
  const adapter = deps.adapters.get(run.context.to.connectionId);
  const files =
    withFiles.length === 0 || adapter === undefined
      ? []
      : await fetchAttachments({
          db: deps.db,
          adapter,
          messageIds: withFiles,
          workspace: workspace.path,
          words: run.words,
          log: deps.log,
          signal: run.abort.signal,
        });
  if (!run.abort.signal.aborted) await tellFileProblems(deps, run, deliveries, files);
  return Promise.all(
    deliveries.map(async (each) =>
      toPromptMessage(
        each,
        files.filter((file) => file.messageId === each.messageId),
        each.retryOf === null ? undefined : await cutShort(deps.db, each.retryOf),
      ),
    ),
  );
}

const quoteShape = z.object({
  text: z.string().nullish(),
  authorName: z.string().nullish(),
  fromUs: z.boolean(),
});

function toPromptMessage(
  delivery: RunDelivery,
  files: readonly StoredFile[],
  retry: PromptMessage["retry"],
): PromptMessage {
  const quote = quoteShape.safeParse(delivery.quote).data;
  return {
    messageId: delivery.messageId,
    author: delivery.author,
    authorName: delivery.authorName,
    authorRole: delivery.authorRole ?? undefined,
    text: delivery.text,
    sentAt: delivery.sentAt,
    edited: delivery.editedAt !== null,
    quote:
      quote === undefined
        ? undefined
        : { text: quote.text ?? undefined, authorName: quote.authorName ?? undefined, fromUs: quote.fromUs },
    forwardedFrom: delivery.forwardedFrom ?? undefined,
    files,
    retry,
  };
}

/** Whether something was corrected or forgotten since the prompt was made. */
export async function memoryMoved({ db, memories }: RunDeps, run: ActiveRun, generation: number): Promise<boolean> {
  return (await memories.generation(db, run.context.teammate.id)) !== generation;
}

/** Picks the thread; Codex may say only at the start that it lost it, so this can be asked for a fresh one. */
export function pickThread(deps: RunDeps, run: ActiveRun, needs: ThreadNeeds, fresh: boolean): Promise<ChosenThread> {
  if (isFleeting(run)) return fleetingThread(deps, run, needs);
  return fresh ? newThread(deps, run.context, needs) : chooseThread(deps, run.context, needs);
}

export function startTurn(
  deps: RunDeps,
  run: ActiveRun,
  prepared: Prepared,
  thread: ChosenThread,
): Promise<StartedTurn> {
  const { teammate, trigger } = run.context;
  const prompt = buildPrompt({ ...prepared.prompt, handoff: thread.handoff ?? undefined });
  return deps.threads.startTurn({
    threadId: thread.threadId,
    input: prompt.input,
    additionalContext: prompt.additionalContext,
    clientUserMessageId: headOf(run).id,
    model: prepared.needs.access.model,
    effort: prepared.needs.access.effort,
    approvalPolicy: approvalPolicy(teammate),
    turnTrigger: trigger,
  });
}
