/**
 * The web-forms room: pages that are opened by a link and filled in once, for what must never stand in a chat.
 * `webForms.issue(unit, { purpose, personId, title, intro, fields, payload, expiresAt })` gives `{ url, opensAnywhere }` for a `Post.links` button;
 * what was written goes to the handler of that purpose (`formHandlers` in src/app/rooms.ts), in one transaction with the page being used up.
 */
export type {
  FilledForm,
  IssuedForm,
  NewWebForm,
  WebFormHandler,
  WebFormHandlers,
  WebFormOutcome,
} from "./types.ts";
export { forgetForms } from "./web-forms.store.ts";
export { createWebForms, type WebForms } from "./web-forms.ts";
