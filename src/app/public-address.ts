import { BlockList, isIP } from "node:net";
import type { Config } from "../config.ts";

/** Where pages of ours are found, without a slash at its end; `opensAnywhere` is false where only this machine gets there. */
export type Address = () => { readonly base: string; readonly opensAnywhere: boolean };

export interface PublicAddress {
  readonly now: Address;
  /** Tells the port that was taken, where any free one would do. */
  listensOn(port: number): void;
}

/** SHIPMATE_PUBLIC_URL, else the address we listen on. */
export function publicAddress({ publicUrl, http }: Pick<Config, "publicUrl" | "http">): PublicAddress {
  let { port } = http;
  const local = isLocal(http.host);
  const named = everywhere.has(http.host) ? "127.0.0.1" : http.host;
  const host = isIP(named) === 6 ? `[${named}]` : named;
  return {
    now: () =>
      publicUrl === undefined
        ? { base: `http://${host}:${port}`, opensAnywhere: !local }
        : { base: publicUrl, opensAnywhere: true },
    listensOn(taken) {
      port = taken;
    },
  };
}

/** To listen on every address tells none by which others reach it. */
const everywhere: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

function isLocal(host: string): boolean {
  if (host === "localhost" || everywhere.has(host)) return true;
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8, "ipv4");
  loopback.addAddress("::1", "ipv6");
  const family = isIP(host);
  return family !== 0 && loopback.check(host, family === 6 ? "ipv6" : "ipv4");
}
