/** Clock, ids, log, redaction: nothing here knows the domain, and everything may import it. */
export { type Clock, systemClock } from "./clock.ts";
export { hashToken, newCode, newId, newToken } from "./ids.ts";
export { createLog, type Log, silentLog } from "./log.ts";
export { bornAt, hasEnded, nameThisProcess, readableName } from "./process.ts";
export { clockTime, dateLanguage, inReadersZone, knownZone } from "./reader-time.ts";
export { redact, registerSecret } from "./redact.ts";
export { openSeal, type Seal } from "./seal.ts";
export { StartError } from "./start-error.ts";
export { readZone } from "./zone.ts";
