import { z } from "zod";

/** What a draft's card is about: the whole, its parts, or where its reports go. */
export const draftViews = ["draft", "parts", "where"] as const;
export type DraftView = (typeof draftViews)[number];
export const parts = ["name", "when", "what", "zone"] as const;
export type Part = (typeof parts)[number];

export const draftAbout = z.object({ draftId: z.uuid() });
export const viewAbout = draftAbout.extend({ view: z.enum(draftViews), page: z.int().min(0).default(0) });
export const editAbout = draftAbout.extend({ part: z.enum(parts), view: z.enum(draftViews) });
export const setAbout = draftAbout.extend({
  missed: z.enum(["run_once", "skip"]).optional(),
  atLimit: z.enum(["wait", "skip"]).optional(),
  teammateId: z.uuid().optional(),
});
export const placeAbout = draftAbout.extend({
  does: z.enum(["add", "remove", "own_thread", "no_thread"]),
  placeId: z.uuid(),
  thread: z.string(),
  page: z.int().min(0).default(0),
});
