import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { SocketModeClient } from "@slack/socket-mode";

/**
 * Calls `onSilence` once when a socket says no hello in time, or neither message nor ping afterwards. A ghost may still
 * answer our own pings, and the SDK begins to miss Slack's only after the first one; it then waits half a minute more
 * for a ghost's goodbye.
 */
export function watchSigns(
  client: SocketModeClient,
  { helloMs, silenceMs }: { readonly helloMs: number; readonly silenceMs: number },
  onSilence: () => void,
) {
  let address: string | undefined;
  let timer = setTimeout(onSilence, helloMs);
  const sign = () => {
    clearTimeout(timer);
    timer = setTimeout(onSilence, silenceMs);
  };
  const onPing = (frame: unknown) => {
    if (address !== undefined && addressOf(frame) === address) sign();
  };
  client.on("authenticated", ({ url }: { url?: string }) => {
    address = url;
  });
  client.on("connected", sign);
  client.on("ws_message", sign);
  // The only place where pings can be seen; it tells of every socket in the process.
  subscribe("undici:websocket:ping", onPing);
  return {
    stop: (): void => {
      clearTimeout(timer);
      client.removeListener("connected", sign);
      client.removeListener("ws_message", sign);
      unsubscribe("undici:websocket:ping", onPing);
    },
  };
}

function addressOf(frame: unknown): string | undefined {
  if (typeof frame !== "object" || frame === null || !("websocket" in frame)) return undefined;
  const { websocket } = frame;
  return typeof websocket === "object" && websocket !== null && "url" in websocket ? String(websocket.url) : undefined;
}
