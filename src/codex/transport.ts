/**
 * One open line to an app-server, whatever carries it. Messages are whole JSON texts, one per call.
 * `send` throws `CodexError` (kind `refused`) for a message over the limit, and nothing is sent then.
 */
export interface Transport {
  send(message: string): void;
  /** Closes the line and waits until it is gone. Safe to call twice. `onClose` is still called, once. */
  close(): Promise<void>;
}

export interface TransportEvents {
  onMessage(text: string): void;
  /** Called once, when the line ended for whatever reason. */
  onClose(reason: string): void;
}

/** Opens a new line; rejects with `CodexError`: `unavailable` when nobody is there, `refused` when we are not let in. */
export type OpenTransport = (events: TransportEvents, signal: AbortSignal) => Promise<Transport>;
