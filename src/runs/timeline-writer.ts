import { createRedactedStream, type RedactedStream } from "./redacted-stream.ts";
import { insertEvents, type NumberedEvent } from "./timeline.store.ts";
import type { TimelineEvent, TimelineWriter, TimelineWriterDeps } from "./types.ts";

type Delta = Extract<TimelineEvent, { kind: "text_delta" }>;

/** More than this many events in one statement would come near PostgreSQL's 65,535 parameters. */
const batchSize = 1_000;
/** What is kept while the database refuses; the oldest goes first. */
const mostUnstored = 10_000;

/** Joins the pieces of a message, redacts them, and stores everything in order and in batches. */
export function createTimelineWriter(deps: TimelineWriterDeps): TimelineWriter {
  const coalesceMs = deps.coalesceMs ?? 120;
  let nextSeq = deps.nextSeq ?? 1;
  let recorded: TimelineEvent[] = [];
  let unstored: NumberedEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  // One open stream per message in the making; the whole text follows as its own event and ends it.
  const streams = new Map<string, RedactedStream>();

  const joined = (event: Delta): TimelineEvent[] => {
    const stream = streams.get(event.itemId) ?? createRedactedStream();
    streams.set(event.itemId, stream);
    stream.push(event.text);
    const text = stream.take();
    return text === "" ? [] : [{ ...event, text }];
  };

  const settle = () => {
    for (const event of recorded) {
      if (event.kind === "text") streams.delete(event.itemId);
      const ready = event.kind === "text_delta" ? joined(event) : [event];
      for (const one of ready) unstored.push({ seq: nextSeq++, event: one });
    }
    recorded = [];
  };

  const write = async () => {
    settle();
    while (unstored.length > 0) {
      const batch = unstored.slice(0, batchSize);
      await insertEvents(deps.db, deps.runId, batch);
      unstored = unstored.slice(batch.length);
    }
  };

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write).catch((error: unknown) => {
      const dropped = unstored.splice(0, Math.max(0, unstored.length - mostUnstored)).length;
      deps.log.warn({ err: error, runId: deps.runId, dropped }, "the timeline could not be stored; it is tried again");
    });
    return writing;
  };

  return {
    record(event) {
      const last = recorded.at(-1);
      if (event.kind === "text_delta" && last?.kind === "text_delta" && last.itemId === event.itemId) {
        recorded[recorded.length - 1] = { ...last, text: last.text + event.text };
      } else {
        recorded.push(event);
      }
      timer ??= setTimeout(() => void flush(), coalesceMs);
    },
    flush,
  };
}
