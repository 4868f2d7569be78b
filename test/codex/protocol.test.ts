import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findCodexBinary, protocolVersion } from "../../src/codex/index.ts";

const root = join(import.meta.dirname, "../..");

test("the checked-in protocol types are what the installed Codex generates", { timeout: 60_000 }, () => {
  const target = mkdtempSync(join(tmpdir(), "shipmate-protocol-test-"));
  try {
    execFileSync(process.execPath, [join(root, "scripts/generate-protocol.ts"), target]);
    const committed = join(root, "src/codex/protocol");
    const names = readdirSync(target).sort();
    expect(readdirSync(committed).sort()).toEqual(names);
    for (const name of names) {
      const same = readFileSync(join(committed, name), "utf8") === readFileSync(join(target, name), "utf8");
      expect(same, `${name} differs; run "npm run generate:protocol"`).toBe(true);
    }
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
});

test("the types name the version that npm installs", () => {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(manifest).toMatchObject({ dependencies: { "@openai/codex": protocolVersion } });
  expect(findCodexBinary().version).toBe(protocolVersion);
});
