import { AnsweredElsewhere, type ServerRequest } from "../codex/index.ts";
import { inTransaction } from "../storage/index.ts";
import { tell } from "./active-run.ts";
import type { Opening, RequestHost, Taken, WaitingRoom } from "./requests.ts";
import { giveWay } from "./tool-wait.ts";

export interface Asking {
  /** What recognises the request when Codex sends it again. */
  readonly key: string;
  readonly opening: Opening;
}

/**
 * Puts a request of Codex to a person and tells Codex the outcome. The turn waits as long as it takes; the card ends with it, and
 * survives our own restart.
 */
export async function askPerson(
  host: RequestHost,
  room: WaitingRoom,
  request: ServerRequest,
  { key, opening }: Asking,
  answer: (taken: Taken) => void,
): Promise<void> {
  const { deps } = host;
  const opened = await room.open(key, opening);
  const decide = (taken: Taken) => carryOut(host, opened.id, taken, answer);
  if (opened.item?.decision != null) {
    // Decided while the line was down: the decision only has to be told.
    const secrets = await inTransaction(deps.db, deps.log, (unit) => deps.attention.take(unit, opened.id));
    return decide({ decision: opened.item.decision, secrets: secrets ?? {} });
  }
  if (request.signal.aborted) return;
  const spoken = () => void letGo(host, room, opened.id, decide);
  room.add(opened.id, { kind: opening.kind, decide, ...(opening.method === "user_input" ? { spoken } : {}) });
  request.signal.addEventListener("abort", () => void closeIfAnswered(host, room, request, opened.id), { once: true });
}

/** A question gives way to a message of the person's; leave and forms are waited for all the same. */
async function letGo(
  host: RequestHost,
  room: WaitingRoom,
  attentionId: string,
  decide: (taken: Taken) => void,
): Promise<void> {
  room.remove(attentionId);
  try {
    const taken = await giveWay(host, attentionId);
    if (taken !== null) decide(taken);
  } catch (error) {
    host.deps.log.warn({ err: error, attentionId }, "a question waits on beside a message");
  }
}

/** Another client of the same Codex answered: nobody has to decide any more, and the turn waits for nobody. */
async function closeIfAnswered(
  { deps, run }: RequestHost,
  room: WaitingRoom,
  request: ServerRequest,
  attentionId: string,
): Promise<void> {
  // A turn that is being stopped lets go of its requests too, and its end closes their cards.
  if (!(request.signal.reason instanceof AnsweredElsewhere) || run.stop !== undefined) return;
  room.remove(attentionId);
  try {
    await inTransaction(deps.db, deps.log, (unit) => deps.attention.resolvedElsewhere(unit, attentionId));
  } catch (error) {
    deps.log.warn({ err: error, attentionId }, "a card stays open until its turn ends");
  }
}

function carryOut(host: RequestHost, attentionId: string, taken: Taken, answer: (taken: Taken) => void): void {
  const { run, deps } = host;
  const { decision } = taken;
  // First the reason, then the answer: the turn may end with the answer.
  if (decision.choice === "stop") host.stopChosen(decision);
  answer(taken);
  tell(run, { kind: "decided", at: deps.clock.now(), attentionId, choice: decision.choice });
  if (decision.note !== undefined && decision.note !== "") host.addNote(attentionId, decision);
}
