import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CodexError } from "./errors.ts";

/** The Codex program of this machine. `version` is unknown for a path that somebody set by hand. */
export interface CodexBinary {
  path: string;
  version: string | undefined;
}

// The names OpenAI publishes its builds under: npm package suffix and target folder.
const builds: Readonly<Record<string, { suffix: string; target: string }>> = {
  "linux/x64": { suffix: "linux-x64", target: "x86_64-unknown-linux-musl" },
  "linux/arm64": { suffix: "linux-arm64", target: "aarch64-unknown-linux-musl" },
  "darwin/x64": { suffix: "darwin-x64", target: "x86_64-apple-darwin" },
  "darwin/arm64": { suffix: "darwin-arm64", target: "aarch64-apple-darwin" },
  "win32/x64": { suffix: "win32-x64", target: "x86_64-pc-windows-msvc" },
  "win32/arm64": { suffix: "win32-arm64", target: "aarch64-pc-windows-msvc" },
};

/**
 * Finds the Codex binary that npm installed. The binary itself, not the `codex` script: the script is a Node process
 * that would stand between us and the signals. Throws `CodexError` (kind `unavailable`) with what to do about it.
 */
export function findCodexBinary(override?: string): CodexBinary {
  if (override !== undefined) {
    if (!existsSync(override)) throw new CodexError("unavailable", `There is no Codex program at ${override}.`);
    return { path: override, version: undefined };
  }
  const platform = `${process.platform}/${process.arch}`;
  const build = builds[platform];
  if (build === undefined) throw new CodexError("unavailable", `Codex has no build for ${platform}.`);
  const manifest = findManifest(build.suffix);
  const name = process.platform === "win32" ? "codex.exe" : "codex";
  const path = manifest === undefined ? undefined : join(dirname(manifest), "vendor", build.target, "bin", name);
  if (manifest === undefined || path === undefined || !existsSync(path)) {
    throw new CodexError(
      "unavailable",
      `The Codex program for ${platform} is not installed. Run "npm install" again, without leaving out optional packages.`,
    );
  }
  return { path, version: readVersion(manifest) };
}

function findManifest(suffix: string): string | undefined {
  try {
    // Asked for from inside @openai/codex, since the platform package is its dependency and not ours.
    const codex = createRequire(import.meta.url).resolve("@openai/codex/package.json");
    return createRequire(codex).resolve(`@openai/codex-${suffix}/package.json`);
  } catch {
    return undefined;
  }
}

/** The platform package's version is `0.171.0-linux-x64`; reading it is free, while asking the binary costs a process. */
function readVersion(manifest: string): string | undefined {
  const parsed: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  if (typeof parsed !== "object" || parsed === null || !("version" in parsed)) return undefined;
  return typeof parsed.version === "string" ? /^\d+\.\d+\.\d+/.exec(parsed.version)?.[0] : undefined;
}
