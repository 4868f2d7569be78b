import { type RoutineProblem, routineLimits } from "../routines/index.ts";
import { wordsFor } from "../words/index.ts";

/** Why a routine is not as it was wanted, and what to correct. */
export function problemSentence(problem: RoutineProblem): string {
  switch (problem.kind) {
    case "not_allowed":
      return "The person who asked may not do that: members make routines and change their own; those of others are for managers and above. Say so.";
    case "outranked":
      return "That routine acts with the rights of somebody who may do more than the person who asked. It can be paused; what it does is its author's to change. Say so.";
    case "gone":
      return "That routine is gone. list_routines tells those there are.";
    case "no_teammate":
      return "You are away, so you have no routines now.";
    case "name_empty":
      return "It needs a name.";
    case "name_too_long":
      return `The name is too long: at most ${routineLimits.name} characters on one line.`;
    case "name_taken":
      return "You have a routine of that name already: choose another name, or change that one with update_routine.";
    case "instruction_empty":
      return "It needs an instruction: what to do each time.";
    case "instruction_too_long":
      return `The instruction is too long: at most ${routineLimits.instruction.toLocaleString("en")} characters. Put the rest into a file in your workspace and name it there.`;
    case "too_many":
      return `There is no room for one more: a teammate has at most ${problem.limit}. Ask the person which one can go.`;
    case "place":
      return "The person who asked may not have reports posted in one of these places. Choose another.";
    case "too_many_destinations":
      return `Too many destinations: at most ${problem.limit}.`;
    case "schedule":
      return wordsFor(null).when.problem(problem.problem);
  }
}
