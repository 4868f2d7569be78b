import { expect, test } from "vitest";
import { publicAddress } from "../../src/app/public-address.ts";

const at = (host: string, publicUrl?: string) => publicAddress({ http: { host, port: 8787 }, publicUrl });

test("a page is found at the public address where there is one", () => {
  expect(at("0.0.0.0", "https://shipmate.example.com/team").now()).toEqual({
    base: "https://shipmate.example.com/team",
    opensAnywhere: true,
  });
});

test("else where we listen, which on every address or loopback is known to lead here from this machine only", () => {
  const here = (base: string) => ({ base, opensAnywhere: false });
  expect(at("127.0.0.1").now()).toEqual(here("http://127.0.0.1:8787"));
  expect(at("localhost").now()).toEqual(here("http://localhost:8787"));
  expect(at("0.0.0.0").now()).toEqual(here("http://127.0.0.1:8787"));
  expect(at("::").now()).toEqual(here("http://127.0.0.1:8787"));
  expect(at("::1").now()).toEqual(here("http://[::1]:8787"));
  expect(at("192.168.1.5").now()).toEqual({ base: "http://192.168.1.5:8787", opensAnywhere: true });
});

test("the port is the one that was taken, where any would do", () => {
  const address = publicAddress({ http: { host: "127.0.0.1", port: 0 }, publicUrl: undefined });
  address.listensOn(40_123);
  expect(address.now().base).toBe("http://127.0.0.1:40123");
});
