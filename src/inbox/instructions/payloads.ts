import { z } from "zod";

/** What the buttons about instructions carry. */
export const editSchema = z.object({ teammateId: z.uuid(), expected: z.string() });
export const overwriteSchema = z.object({ teammateId: z.uuid(), text: z.string() });
export const changeSchema = z.object({ changeId: z.uuid() });
