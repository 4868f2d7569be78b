import { channel } from "node:diagnostics_channel";
import { SocketModeClient } from "@slack/socket-mode";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { silent } from "../../adapters/slack/client.ts";
import { watchSigns } from "../../adapters/slack/signs.ts";

const url = "wss://wss.example/link?ticket=1";
const ping = (from: string) => channel("undici:websocket:ping").publish({ websocket: { url: from } });

describe("F-60 signs of life", () => {
  let client: SocketModeClient;
  let onSilence: ReturnType<typeof vi.fn<() => void>>;
  let watch: ReturnType<typeof watchSigns>;

  beforeEach(() => {
    vi.useFakeTimers();
    client = new SocketModeClient({ appToken: "xapp-1", logger: silent });
    onSilence = vi.fn<() => void>();
    watch = watchSigns(client, { helloMs: 100, silenceMs: 50 }, onSilence);
    client.emit("authenticated", { url });
  });
  afterEach(() => {
    watch.stop();
    vi.useRealTimers();
  });

  it("a socket that opens but says no hello is given up", () => {
    vi.advanceTimersByTime(99);
    expect(onSilence).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onSilence).toHaveBeenCalledOnce();
  });

  it("pings of this socket keep it, those of another do not", () => {
    client.emit("connected");
    for (let n = 0; n < 4; n += 1) {
      vi.advanceTimersByTime(40);
      ping(url);
    }
    expect(onSilence).not.toHaveBeenCalled();
    vi.advanceTimersByTime(40);
    ping("wss://wss.example/link?ticket=2");
    vi.advanceTimersByTime(10);
    expect(onSilence).toHaveBeenCalledOnce();
  });

  it("messages keep it, and once stopped it says nothing more", () => {
    client.emit("connected");
    vi.advanceTimersByTime(40);
    client.emit("ws_message", "{}", false);
    vi.advanceTimersByTime(40);
    watch.stop();
    ping(url);
    vi.advanceTimersByTime(1_000);
    expect(onSilence).not.toHaveBeenCalled();
  });
});
