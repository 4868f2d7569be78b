/**
 * The teammates room: the AI colleagues, their job and what they may do alone.
 * A fresh install has one, Milo; everything else asks here and never assumes a name.
 */
export { createTeammates, personaOf, type Teammate, type Teammates } from "./teammates.ts";
