import { issueTokens } from "../attention/index.ts";
import type { Post } from "../chat/index.ts";
import {
  draftText,
  type Here,
  type KeptDraft,
  keepDraft,
  missingIn,
  noteDraftPlace,
  replaceProposals,
  whereText,
} from "../routines/index.ts";
import { type Clock, newId } from "../shared/index.ts";
import { inTransaction, type Unit } from "../storage/index.ts";
import type { Teammates } from "../teammates/index.ts";
import type { RoutineProposal } from "../tools/index.ts";
import type { Words } from "../words/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { RunDeps } from "./settings.ts";

const lifetimeMs = 7 * 24 * 60 * 60_000;

export interface DraftCardDeps {
  readonly teammates: Pick<Teammates, "list">;
  readonly clock: Clock;
}

export interface DraftCard {
  readonly kept: KeptDraft;
  readonly here: Here;
  /** For whom it is drawn. */
  readonly reader: { readonly timezone: string | null; readonly locale: string | null };
  readonly words: Words;
  /** What is wrong with it, in a sentence. */
  readonly problem?: string | undefined;
}

/** A routine as it would be, to be made (or changed), altered first, or dropped: by whose it is, and managers. */
export async function routineDraftPost(
  unit: Unit,
  { teammates, clock }: DraftCardDeps,
  { kept, here, reader, words, problem }: DraftCard,
): Promise<Pick<Post, "text" | "buttons">> {
  const { id: draftId, draft, personId, routineId } = kept;
  const all = await teammates.list(unit.db);
  const teammate = all.length > 1 ? all.find((each) => each.id === kept.teammateId) : undefined;
  const where = await whereText(unit.db, draft, { here, all: true }, words);
  const facts = { kept, where, teammateName: teammate?.name ?? null, now: clock.now(), reader };
  const missing = missingIn(draft);
  const { buttons, draft: labels } = words.routines;
  const lacks = missing && { when: labels.needsTime, what: labels.needsInstruction }[missing];
  const tokens = await issueTokens(unit, {
    choices: [
      { key: "save", action: "routine_draft_save", payload: { draftId } },
      { key: "fill", action: "routine_draft_edit", payload: { draftId, part: missing ?? "when", view: "draft" } },
      { key: "change", action: "routine_draft_view", payload: { draftId, view: "parts" } },
      { key: "cancel", action: "routine_draft_cancel", payload: { draftId } },
    ],
    personId: personId ?? undefined,
    minRole: "manager",
    expiresAt: new Date(clock.now().getTime() + lifetimeMs),
  });
  const save = { label: routineId === null ? buttons.create : buttons.save, token: tokens.save };
  const first = missing === null ? save : { label: buttons[missing], token: tokens.fill, opensForm: true };
  return {
    text: draftText({ ...facts, problem: problem ?? lacks ?? undefined }, words),
    buttons: [
      [
        { ...first, style: "primary" },
        { label: buttons.change, token: tokens.change },
        { label: buttons.cancel, token: tokens.cancel },
      ],
    ],
  };
}

/** Shows the card on which the requester of a run makes a routine, or changes one; the same call again shows it once. */
export async function proposeRoutine(
  deps: Pick<RunDeps, "db" | "log" | "clock" | "outbox" | "teammates">,
  run: Pick<ActiveRun, "context" | "words">,
  proposal: RoutineProposal,
): Promise<void> {
  const { context, words } = run;
  const { runId, place, to, teammate, requester } = context;
  if (requester === null) throw new Error("nobody is there to press the card of a routine");
  const here = { placeId: place.id, thread: to.address.thread ?? "" };
  const kept: KeptDraft = {
    id: newId(),
    teammateId: teammate.id,
    routineId: proposal.routineId ?? null,
    personId: requester.id,
    draft: {
      ...proposal.draft,
      destinations: [...proposal.draft.destinations],
      home: here,
      newSecret: proposal.newSecret ?? false,
    },
    status: "open",
  };
  const callKey = `${runId}/${proposal.callId}`;
  await inTransaction(deps.db, deps.log, async (unit) => {
    if (!(await keepDraft(unit.db, { ...kept, byTeammate: true, callKey }))) return;
    await closeReplaced(deps, unit, kept, words);
    await postCard(deps, unit, run, { kept, callKey });
  });
}

async function postCard(
  deps: Pick<RunDeps, "clock" | "outbox" | "teammates">,
  unit: Unit,
  { context, words }: Pick<ActiveRun, "context" | "words">,
  { kept, callKey }: { readonly kept: KeptDraft; readonly callKey: string },
): Promise<void> {
  const { runId, conversationId, to, teammate, requester } = context;
  const reader = requester ?? { timezone: null, locale: null };
  const shown = await routineDraftPost(unit, deps, { kept, here: kept.draft.home, reader, words });
  const lane = `conversation:${conversationId}`;
  const { postIds } = await deps.outbox.enqueue(unit, {
    op: "post",
    // The answer follows and is heard, where answers of this teammate are.
    post: { ...shown, notify: !teammate.notifications },
    to,
    purpose: "card",
    lane,
    dedupKey: `routine-draft:${callKey}`,
    conversationId,
    runId,
  });
  const [postId] = postIds;
  const { connectionId, address, placeKind } = to;
  if (postId !== undefined)
    await noteDraftPlace(unit.db, kept.id, { postId, connectionId, ...address, placeKind, lane });
}

/** Two cards for one routine would be one too many: the earlier one says so. */
async function closeReplaced(deps: Pick<RunDeps, "outbox">, unit: Unit, kept: KeptDraft, words: Words): Promise<void> {
  for (const { postId, connectionId, channel, thread, placeKind, lane } of await replaceProposals(unit.db, kept)) {
    await deps.outbox.enqueue(unit, {
      op: "edit",
      target: { postId },
      post: { text: words.routines.draft.replaced, notify: false },
      to: { connectionId, address: { channel, thread }, placeKind },
      purpose: "card",
      lane,
      dedupKey: `routine-draft:${postId}:replaced`,
    });
  }
}
