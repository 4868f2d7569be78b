import { allows, type Person } from "../people/index.ts";
import type { Words } from "../words/index.ts";
import type { AttentionItem } from "./types.ts";

type Subject = Pick<AttentionItem, "risk" | "requesterPersonId">;

/** Normal risk: who asked, or a manager and above. High risk: owner and admin. Nobody else, whatever is missing. */
export function mayDecide(item: Subject, person: Person): boolean {
  if (item.risk === "high") return allows(person.role, "admin");
  return (item.requesterPersonId !== null && item.requesterPersonId === person.id) || allows(person.role, "manager");
}

/** A question is for whom it is asked, or a manager and above: an answer gives nobody more rights. */
export function mayAnswer(item: Pick<AttentionItem, "requesterPersonId">, person: Person): boolean {
  return mayDecide({ risk: "normal", requesterPersonId: item.requesterPersonId }, person);
}

/** For the presser who may not. */
export function whoMayDecide(item: Pick<AttentionItem, "risk" | "requesterName">, words: Words["approval"]): string {
  if (item.risk === "high") return words.onlyRole(words.roles.admin);
  return item.requesterName === null
    ? words.onlyRole(words.roles.manager)
    : words.onlyTheyOr(item.requesterName, words.roles.manager);
}
