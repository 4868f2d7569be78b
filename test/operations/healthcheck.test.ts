import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startHttp } from "../../src/http/index.ts";
import { silentLog, systemClock } from "../../src/shared/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const forms = { open: async () => null, submit: async () => ({ kind: "over" }) as const };
const nothing = {
  receiveHook: async () => ({ kind: "unknown" }) as const,
  calendarFile: async () => undefined,
  address: () => ({ base: "http://127.0.0.1" }),
};
const common = { host: "127.0.0.1", port: 0, forms, ...nothing, clock: systemClock, log: silentLog };

async function check(port: number): Promise<number> {
  const child = spawn(process.execPath, ["scripts/healthcheck.ts"], {
    cwd: root,
    env: { PORT: String(port) },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return code;
}

test("the container's health check follows /readyz", async () => {
  let ready = true;
  const http = await startHttp({ ...common, readiness: async () => [{ role: "worker", ready }] });
  onTestFinished(() => http.close());
  expect(await check(http.port)).toBe(0);
  ready = false;
  expect(await check(http.port)).toBe(1);
});

test("nobody listening is not healthy", async () => {
  const http = await startHttp({ ...common, readiness: async () => [] });
  await http.close();
  expect(await check(http.port)).toBe(1);
});
