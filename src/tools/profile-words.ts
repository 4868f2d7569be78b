import type { Member, OnBehalf, ProfileProblem, Teammate } from "../teammates/index.ts";
import { wordsFor } from "../words/index.ts";
import type { ToolRooms } from "./rooms.ts";
import type { ToolContext } from "./tool.ts";

/** The teammate of a call, as it is now, with whoever asked for its run. */
export type Acting = OnBehalf & { readonly teammate: Teammate };

export async function actingFor({ db, people, teammates }: ToolRooms, { caller }: ToolContext): Promise<Acting> {
  const teammate = await teammates.get(db, caller.teammateId);
  if (!teammate) throw new Error("the teammate of a call is gone");
  const requester = caller.requesterId === null ? undefined : await people.get(db, caller.requesterId);
  return { teammate, requester: requester ?? null };
}

/** A profile as a model reads it: what people wrote stands in quotes. */
export function profileLine(teammate: Teammate | Member): string {
  const { name, handle, title, job, autonomy, access, busyMode, model, effort, notifications, picture } = teammate;
  return JSON.stringify({
    name,
    handle,
    title,
    job,
    autonomy,
    access,
    busy_mode: busyMode,
    model: model ?? "default",
    effort: effort ?? "default",
    notifications,
    picture: picture ?? "none",
    ...("hidden" in teammate && teammate.hidden && { away: true }),
  });
}

export function refusal(problem: ProfileProblem, { requester }: Acting): string {
  switch (problem) {
    case "not_allowed":
      return requester === null
        ? "Nobody asked for this turn, so you may only change your own title and picture, and narrow what you may do."
        : "That is for managers and above, and the person who asked is none. Tell them to ask one.";
    case "never_wider":
      return "You can only narrow autonomy and access, for yourself and others. A person can widen them with /agent.";
    default:
      return wordsFor(null).teammates.problems[problem];
  }
}
