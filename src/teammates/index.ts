/**
 * The teammates room: the AI colleagues, their job and what they may do alone.
 * A fresh install has one, Milo; everything else asks here and never assumes a name.
 */
export { accesses, autonomies, efforts, type Profile, type ProfileProblem, problemIn } from "./profile.ts";
export { isTaken } from "./save.ts";
export { type Described, readSentence } from "./sentence.ts";
export { createTeammates, type NewProfile, personaOf, type Saved, type Teammate, type Teammates } from "./teammates.ts";
