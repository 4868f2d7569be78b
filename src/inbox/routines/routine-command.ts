import { mayChangeRoutine, mayMakeRoutines, type Routine } from "../../routines/index.ts";
import type { Command, PersonCommandScene } from "../command.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { plain, say } from "../scene.ts";
import { askForWish, draftOfWish } from "./begin.ts";
import { changeByCommand, type Verb, verbs } from "./by-command.ts";
import { showCalendar } from "./calendar.ts";
import { editCard } from "./draft-of.ts";
import { logCard } from "./log-card.ts";
import { sureCard } from "./made-card.ts";
import { routinesHere } from "./rights.ts";
import { routineCard } from "./routine-card.ts";
import type { RoutinePost } from "./tokens.ts";
import { showWebhook } from "./webhook.ts";

/** `new` and what should happen makes one; a name shows it, with a verb before it something is done with it. */
export const routineCommand: Command<"routine"> = {
  name: "routine",
  who: "person",
  async run(scene) {
    if (!mayMakeRoutines(scene.person)) {
      await say(scene, scene.words.routines.membersOnly);
      return dropped("not_allowed");
    }
    const typed = scene.event.argument.trim();
    const known = await routinesHere(scene);
    const named = find(known, typed);
    // A routine may be called "New leads".
    if (named) return show(scene, await routineCard(scene, named));
    const [, verb = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/u.exec(typed) ?? [];
    switch (verb.toLowerCase()) {
      case "":
        return hint(scene, known);
      case "new":
      case "add":
        return begin(scene, rest);
      case "calendar":
        return showCalendar(scene);
      default:
        return withVerb(scene, known, { verb: verb.toLowerCase(), rest, typed });
    }
  },
};

async function begin(scene: PersonCommandScene, text: string): Promise<Outcome> {
  if (text.trim() !== "") return show(scene, await draftOfWish(scene, text));
  await askForWish(scene);
  return handled;
}

async function withVerb(
  scene: PersonCommandScene,
  known: readonly Routine[],
  { verb, rest, typed }: { readonly verb: string; readonly rest: string; readonly typed: string },
): Promise<Outcome> {
  const { words } = scene;
  if (!isVerb(verb)) {
    await say(scene, words.routines.noSuch(plain(typed.slice(0, 60))));
    return handled;
  }
  const routine = find(known, rest);
  if (!routine) {
    await say(
      scene,
      rest === "" ? words.routines.which(names(known)) : words.routines.noSuch(plain(rest.slice(0, 60))),
    );
    return handled;
  }
  if (verb === "webhook") return showWebhook(scene, routine);
  if (verb === "log") return show(scene, await logCard(scene, routine));
  if (!mayChangeRoutine(scene.person, routine)) {
    await say(scene, words.routines.problems.not_allowed);
    return dropped("not_allowed");
  }
  if (verb === "delete") return show(scene, await sureCard(scene, routine));
  if (verb === "edit") return show(scene, await editCard(scene, routine));
  return changeByCommand(scene, routine, verb);
}

function isVerb(verb: string): verb is Verb {
  return (verbs as readonly string[]).includes(verb);
}

async function show(scene: PersonCommandScene, card: RoutinePost): Promise<Outcome> {
  await say(scene, card.text, { ...card, purpose: "card" });
  return handled;
}

async function hint(scene: PersonCommandScene, known: readonly Routine[]): Promise<Outcome> {
  await say(scene, scene.words.routines.which(names(known)));
  return handled;
}

function names(known: readonly Routine[]): string[] {
  return known.map(({ name }) => plain(name));
}

function find(known: readonly Routine[], typed: string): Routine | undefined {
  const wanted = typed.trim().toLowerCase();
  return known.find(({ name }) => name.toLowerCase() === wanted);
}
