/** Clock, ids, log, redaction: nothing here knows the domain, and everything may import it. */
export { type Clock, systemClock } from "./clock.ts";
export { hashToken, newCode, newId, newToken, sameSecret } from "./ids.ts";
export { createLog, type Log, type LogLevel, silentLog } from "./log.ts";
export { bornAt, hasEnded, nameThisProcess, readableName } from "./process.ts";
export { redact, registerSecret } from "./redact.ts";
export { StartError } from "./start-error.ts";
