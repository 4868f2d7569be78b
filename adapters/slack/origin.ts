import { z } from "zod";
import type { Interaction } from "../../src/chat/index.ts";

/** Where an interaction came from, which is all it takes to answer it. */
export const originShape = z.object({
  channel: z.string(),
  thread: z.string().optional(),
  user: z.string(),
  /** Takes five answers within thirty minutes. */
  url: z.url().optional(),
  /** When it happened, in milliseconds since the epoch. */
  at: z.number(),
  /** The message it was on, where only the presser sees that. */
  privateMessage: z.string().optional(),
});

export type Origin = z.infer<typeof originShape>;

export function toInteraction(id: string, origin: Origin): Interaction {
  return { id, payload: JSON.stringify(origin) };
}

export function originOf({ payload }: Interaction): Origin | undefined {
  if (payload === undefined) return undefined;
  try {
    return originShape.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
