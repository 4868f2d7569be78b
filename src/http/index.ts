/** What this process answers over HTTP: whether it lives, whether every role is ready, pages that are
 * filled in once, signed calls from outside, and a calendar of what routines do. Loopback unless configured. */
export type { FormDesk } from "./forms.ts";
export { type Readiness, startHttp } from "./server.ts";
