/** What this process answers over HTTP: whether it lives, and whether every role is ready. Loopback unless configured. */
export { type Readiness, startHttp } from "./server.ts";
