import { z } from "zod";
import { welcomes } from "../../runs/index.ts";
import { type Action, redraw } from "../action.ts";
import { takeWish, wishOf } from "../messages.ts";
import { welcomeOf } from "../welcome.ts";

const taskSchema = z.object({
  teammateId: z.uuid(),
  kind: z.enum(welcomes),
  text: z.string().min(1),
  left: z.array(z.string()),
});

/** One of the first tasks, as if the person had written it to that colleague. The greeting then offers the others. */
export const tryFirstTask: Action = async (scene, payload, card) => {
  const { unit, deps, person } = scene;
  const { teammateId, kind, text, left } = taskSchema.parse(payload);
  const wish = { ...wishOf(text, deps.clock.now()), teammateIds: [teammateId] };
  const outcome = await takeWish(scene, wish);
  const teammate = await deps.teammates.get(unit.db, teammateId);
  if (!teammate) return { outcome };
  await deps.teammates.meet(unit, teammateId, person);
  // What was not taken is offered again.
  const offered = outcome.kind === "delivered" ? left : [text, ...left];
  await redraw(scene, card, await welcomeOf(scene, teammate, kind, offered));
  return { outcome };
};
