import { nextDue, readWhen, type Schedule } from "../routines/index.ts";
import { problemSentence } from "./routine-problems.ts";

/** What the model is told to write. */
export const scheduleForms =
  '"daily 08:30", "weekdays 08:30", "mon, thu 08:30", "monthly on the 31st 08:30", "hourly at :15", "every 2 weeks from 2026-12-04T09:00", "2026-12-04T09:00" for once, or cron "0 8 * * 1-5"';

export type ScheduleRead =
  | { readonly kind: "schedule"; readonly schedule: Schedule }
  | { readonly kind: "problem"; readonly text: string };

/** A schedule as a teammate writes it. */
export function readSchedule(text: string, zone: string, now: Date): ScheduleRead {
  const { every, from } = /^(?<every>.+?)\s+(?:starting\s+)?from\s+(?<from>\S+)$/iu.exec(text.trim())?.groups ?? {};
  const reading = readWhen(every ?? text, { now, zone });
  if (reading.kind === "problem") return problem(problemSentence({ kind: "schedule", problem: reading.problem }));
  if (reading.kind === "unread" || reading.rest !== "")
    return problem(`I don't understand the schedule ${JSON.stringify(text)}. Write ${scheduleForms}.`);
  const { schedule } = reading;
  if (from === undefined) return { kind: "schedule", schedule };
  if (schedule.kind !== "interval") return problem("Only an interval has a “from”, such as every 2 weeks.");
  const anchor = nextDue({ kind: "once", at: from.toUpperCase() }, zone, new Date(0));
  return anchor === undefined
    ? problem(`There is no time ${JSON.stringify(from)}. Write the first due time as 2026-12-04T09:00.`)
    : { kind: "schedule", schedule: { ...schedule, anchor: anchor.toISOString() } };
}

function problem(text: string): ScheduleRead {
  return { kind: "problem", text };
}
