import type { Question } from "../attention/index.ts";
import type { ServerRequestOf } from "../codex/index.ts";
import { askPerson } from "./ask-person.ts";
import type { RequestHost, Taken, WaitingRoom } from "./requests.ts";

type UserInput = ServerRequestOf<"item/tool/requestUserInput">;

/** Lists hold no more anywhere. */
const mostOptions = 25;

/**
 * Codex's own questions. Our tool takes their place for teammates of this house (its questions outlive the turn), so that these come
 * from elsewhere: a remote Codex with other settings, plan mode. The turn waits for them whether or not they call themselves blocking.
 */
export async function askUser(host: RequestHost, room: WaitingRoom, request: UserInput): Promise<void> {
  const { itemId, questions, autoResolutionMs } = request.params;
  if (questions.length === 0) {
    request.answer({ answers: {} });
    return;
  }
  const now = host.deps.clock.now().getTime();
  return askPerson(
    host,
    room,
    request,
    {
      key: `${request.method}/${itemId}`,
      opening: {
        kind: "question",
        method: "user_input",
        details: { kind: "question", questions: questions.map(toQuestion) },
        risk: "normal",
        callId: itemId,
        connectionEpoch: request.epoch,
        ...(autoResolutionMs === null ? {} : { expiresAt: new Date(now + autoResolutionMs) }),
      },
    },
    (taken) => {
      const given = Object.entries(valuesOf(taken)).filter(([, values]) => values.length > 0);
      request.answer({ answers: Object.fromEntries(given.map(([id, values]) => [id, { answers: [...values] }])) });
    },
  );
}

function toQuestion({
  id,
  header,
  question,
  isOther,
  isSecret,
  options,
}: UserInput["params"]["questions"][number]): Question {
  const offered = (options ?? []).slice(0, mostOptions).map(({ label, description }) => ({
    label,
    ...(description === "" ? {} : { description }),
  }));
  return {
    id,
    header,
    question,
    options: offered,
    multiple: false,
    secret: isSecret,
    free: isOther || offered.length === 0,
    skippable: true,
  };
}

/** The answers by question, secrets among them; nothing for what was skipped, absent for what nobody answered. */
export function valuesOf({ decision, secrets }: Taken): Readonly<Record<string, readonly string[]>> {
  const given = Object.entries(decision.answers ?? {}).flatMap(([id, answer]): [string, readonly string[]][] => {
    if (answer.kind !== "secret") return [[id, answer.values]];
    const secret = secrets[id];
    return secret === undefined ? [] : [[id, [secret]]];
  });
  return Object.fromEntries(given);
}
