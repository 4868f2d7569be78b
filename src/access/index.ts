/** The access room: who pays for the model, decided before each run, and which model answers. */
export {
  type Access,
  type AccessDecision,
  createAccess,
  type NoAccess,
  type Payer,
  type UsableAccess,
} from "./access.ts";
