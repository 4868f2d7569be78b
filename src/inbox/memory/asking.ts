import { z } from "zod";
import type { Asker } from "../../memory/index.ts";
import { allows, type Person } from "../../people/index.ts";
import type { PersonScene } from "../scene.ts";

/** Whose memories a card is about and where it was shown; part of what each of its buttons carries. */
export const cardSchema = z.object({
  teammateId: z.uuid(),
  placeId: z.uuid(),
  isPrivate: z.boolean(),
  page: z.int().min(0).default(0),
});
export type CardAbout = z.infer<typeof cardSchema>;

export const memorySchema = cardSchema.extend({ memoryId: z.uuid(), revision: z.int() });
export type MemoryAbout = z.infer<typeof memorySchema>;

export function cardHere({ place }: PersonScene, teammateId: string): CardAbout {
  return { teammateId, placeId: place.id, isPrivate: place.kind === "dm", page: 0 };
}

/** Alone with us, the owner and admins look after the memories of every place. */
export function askerOf(person: Person, { teammateId, placeId, isPrivate }: CardAbout): Asker {
  return {
    person,
    view: { teammateId, placeId, personId: isPrivate ? person.id : null },
    oversees: isPrivate && allows(person.role, "admin"),
  };
}
