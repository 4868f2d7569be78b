/**
 * The teammates room: the AI colleagues, their job and what they may do alone.
 * A fresh install has one, Milo; everything else asks here and never assumes a name.
 */
export { type Actor, isTeammate, type OnBehalf, personBehind } from "./authority.ts";
export {
  adoptInstructions,
  type InstructionChange,
  instructionChange,
  instructionsOf,
  longestInstructions,
  noteWritten,
  type OwnInstructions,
  saveInstructions,
  type TakenChange,
  takeOwnChange,
  tidyInstructions,
  undoInstructions,
} from "./instructions.ts";
export { accesses, autonomies, busyModes, efforts, type Profile, type ProfileProblem, problemIn } from "./profile.ts";
export { isTaken } from "./save.ts";
export { readSentence } from "./sentence.ts";
export {
  askName,
  createTeammates,
  type Member,
  type NewProfile,
  personaOf,
  type Saved,
  type Teammate,
  type Teammates,
} from "./teammates.ts";
