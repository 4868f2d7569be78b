import type { Adapter, Capabilities, PlaceKind } from "../chat/index.ts";
import { openLiveViewRow, setLiveViewMessage } from "./live-view.store.ts";
import { createPacer, type PacedOutcome } from "./live-view-pacer.ts";
import { emptyLiveView, type LiveViewEvent, liveViewReducer } from "./live-view-reducer.ts";
import { type LiveViewFrame, renderDraft, renderLiveView, renderStatus, renderStep } from "./live-view-render.ts";
import {
  draftSurface,
  type LiveViewContent,
  messageSurface,
  printSurface,
  type Surface,
  statusSurface,
} from "./live-view-surface.ts";
import type { LiveView, LiveViewDeps } from "./types.ts";

type Progress = Capabilities["progress"][PlaceKind];

/** How fast a view is, in milliseconds. */
export interface LiveViewPace {
  /** A message that would be gone within a second only flickers; the typing sign covers that time. */
  readonly messageAfterMs: number;
  readonly heartbeatMs: number;
  /** Telegram shows "typing" for five seconds, Discord for ten. */
  readonly typingEveryMs: number;
  /** How long `close` waits for a call in flight. */
  readonly closeWithinMs: number;
}

const usualPace: LiveViewPace = {
  messageAfterMs: 1_000,
  heartbeatMs: 12_000,
  typingEveryMs: 4_000,
  closeWithinMs: 3_000,
};

/** Starts the view: the first sign (a draft, or "typing") is on its way when this returns. */
export function createLiveView(deps: LiveViewDeps, pace: LiveViewPace = usualPace): LiveView {
  const { adapter, destination, clock } = deps;
  const progress = progressOf(adapter, destination.placeKind);
  let state = emptyLiveView;
  let closed = false;

  const surface = makeSurface(deps, progress, pace, () => closed);
  const content = makeContent(deps, () => state);
  const call = async (): Promise<PacedOutcome> => {
    try {
      return await surface.show(content);
    } catch (error) {
      deps.log.warn({ err: error, runId: deps.runId }, "the live view could not be shown");
      return { kind: "retry", afterMs: 5_000 };
    }
  };
  const pacer = createPacer({
    intervalMs: adapter.capabilities.progressIntervalMs[destination.placeKind],
    delayMs: progress === "edit" ? pace.messageAfterMs : 0,
    heartbeatMs: pace.heartbeatMs,
    call,
  });

  const isTyping = () => !closed && state.waiting === null && surface.messageId() === undefined;
  // A status line is the better sign where there is one.
  const stopTyping =
    progress === "status" ? () => {} : keepTyping(deps, isTyping, progress === "edit" ? pace.typingEveryMs : undefined);
  const take = (event: LiveViewEvent) => {
    if (closed) return;
    state = liveViewReducer(state, event);
    pacer.changed();
  };
  pacer.changed();

  return {
    show: take,
    waiting: (on, link) => take({ kind: "waits", at: clock.now(), on, link }),
    async close() {
      closed = true;
      stopTyping();
      const stopped = pacer.stop();
      await atMost(pace.closeWithinMs, stopped);
      const messageId = surface.messageId();
      if (messageId === undefined) void stopped.then(() => removeLate(deps, surface.messageId()));
      // Not waited for: the answer, which takes it away as well, comes first.
      void stopped.then(() => clear(deps, surface));
      return { messageId };
    },
  };
}

function progressOf(adapter: Adapter, kind: PlaceKind): Progress {
  const progress = adapter.capabilities.progress[kind];
  const missing = (progress === "status" || progress === "draft") && adapter[progress] === undefined;
  return missing ? "edit" : progress;
}

/** Takes a message away that arrived after `close` had given up waiting for it: nobody else knows of it. */
async function removeLate({ adapter, destination, log, runId }: LiveViewDeps, messageId: string | undefined) {
  if (messageId === undefined) return;
  try {
    await adapter.remove?.(destination.address, messageId);
  } catch (error) {
    log.warn({ err: error, runId }, "a late live view could not be removed");
  }
}

/** What a call in flight showed last would stay otherwise where nothing is posted, or was posted before. */
async function clear({ log, runId }: LiveViewDeps, surface: Surface): Promise<void> {
  try {
    await surface.clear?.();
  } catch (error) {
    log.warn({ err: error, runId }, "a status line stays until it expires");
  }
}

/** Shows "typing" now and, where nothing else is seen yet, again before it fades. Returns what ends it. */
function keepTyping(
  { adapter, destination, log }: LiveViewDeps,
  isTyping: () => boolean,
  everyMs: number | undefined,
): () => void {
  const type = () => {
    if (!isTyping()) return;
    adapter.typing?.(destination.address).catch((error: unknown) => log.debug({ err: error }, "typing was refused"));
  };
  type();
  if (everyMs === undefined) return () => {};
  const timer = setInterval(type, everyMs);
  return () => clearInterval(timer);
}

function makeContent(deps: LiveViewDeps, state: () => typeof emptyLiveView): LiveViewContent {
  let token: Promise<string | undefined> | undefined;
  const printed = new Set<string>();
  const frame = (): LiveViewFrame => {
    const { teammate, persona, startedAt, clock, words, replyTo } = deps;
    return { name: teammate.name, persona, startedAt, now: clock.now(), words, replyTo };
  };
  const stopToken = () => {
    token ??= deps.stopToken().catch((error: unknown) => {
      deps.log.warn({ err: error, runId: deps.runId }, "the live view has no Stop button");
      return undefined;
    });
    return token;
  };
  return {
    post: async () => {
      const stop = await stopToken();
      return renderLiveView(state(), { ...frame(), stopToken: stop });
    },
    draft: () => renderDraft(state(), frame()),
    status: () => renderStatus(state(), frame()),
    newLines: () => {
      const fresh = state().steps.filter(({ itemId, outcome }) => outcome !== "running" && !printed.has(itemId));
      for (const { itemId } of fresh) printed.add(itemId);
      return fresh.map((shown) => renderStep(shown, deps.words)).join("\\\n");
    },
  };
}

function makeSurface(deps: LiveViewDeps, progress: Progress, pace: LiveViewPace, isClosed: () => boolean): Surface {
  const { adapter, db, runId } = deps;
  const { address, connectionId } = deps.destination;
  // The end of a UUIDv7 is its random part; idempotency keys hold 25 characters.
  const key = `live-${runId.replaceAll("-", "").slice(-16)}-`;
  let row: Promise<{ draftId: number }> | undefined;
  const opened = () => {
    const view = { runId, connectionId, channel: address.channel, thread: address.thread ?? null };
    row ??= openLiveViewRow(db, view).catch((error: unknown) => {
      row = undefined;
      throw error;
    });
    return row;
  };
  const remember = (messageId: string | undefined) => setLiveViewMessage(db, runId, messageId ?? null);
  const message = () =>
    messageSurface({ adapter, address, key, remember, isClosed, opened: async () => void (await opened()) });
  const { draft, status } = adapter;
  if (progress === "print") return printSurface(adapter, address, key);
  if (progress === "status" && status !== undefined) {
    return statusSurface({
      status: (line) => status.call(adapter, address, line),
      makeFallback: message,
      fallbackAfterMs: pace.messageAfterMs,
    });
  }
  if (progress !== "draft" || draft === undefined) return message();
  return draftSurface(async (text) => {
    const { draftId } = await opened();
    return await draft.call(adapter, address, draftId, text());
  }, message);
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
