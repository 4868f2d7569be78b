import { type DestinationStream, type Logger, pino } from "pino";
import { redact } from "./redact.ts";

export type Log = Logger;
export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** The process log: one JSON object a line on standard error, every string redacted before it is written. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError, error: serializeError },
      hooks: { streamWrite: redact },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

/** Turns whatever was thrown into a short plain object; the stack stays in the log only. */
function serializeError(error: unknown): unknown {
  return error instanceof Error ? pino.stdSerializers.err(error) : error;
}

export const silentLog: Log = pino({ level: "silent" });
