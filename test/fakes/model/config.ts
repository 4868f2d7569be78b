import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CodexServerOptions, findCodexBinary } from "../../../src/codex/index.ts";

/** The name the scripted model goes by. It is a real name, as Codex decides by it which tools a model can use. */
export const fakeModelName = "gpt-5.5";

/**
 * What `createCodexServer` needs to use a scripted model: endpoint, key, and a list of models with one entry that has
 * direct tools and apply_patch. The list is made from Codex's own, with a short instruction in place of its long one.
 */
export function fakeModelConfig(
  model: { url: string },
  folder: string,
): Pick<CodexServerOptions, "openai" | "modelCatalog" | "config"> {
  return {
    openai: { apiKey: "offline-model-key", baseUrl: model.url },
    modelCatalog: writeFakeCatalog(folder),
    config: { model: fakeModelName },
  };
}

/** Writes the list of models into a folder and returns its path. */
export function writeFakeCatalog(folder: string): string {
  const listed: unknown = JSON.parse(
    execFileSync(findCodexBinary().path, ["debug", "models"], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }),
  );
  const entry = readModels(listed).find(({ slug }) => slug === fakeModelName);
  if (entry === undefined) throw new Error(`Codex does not list ${fakeModelName} any more.`);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "fake-models.json");
  const short = { ...entry, base_instructions: "You are a scripted model.", model_messages: null };
  writeFileSync(path, JSON.stringify({ models: [short] }));
  return path;
}

function readModels(listed: unknown): Record<string, unknown>[] {
  if (typeof listed !== "object" || listed === null || !("models" in listed) || !Array.isArray(listed.models))
    return [];
  return listed.models;
}
