/** What this process answers over HTTP: whether it lives, whether every role is ready, and pages that are filled in once. Loopback unless configured. */
export type { FormDesk } from "./forms.ts";
export { type Readiness, startHttp } from "./server.ts";
