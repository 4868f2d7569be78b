import { z } from "zod";
import type { Words } from "../words/index.ts";

const paths = z.array(z.string()).nullish();
const entry = z.strictObject({
  access: z.enum(["read", "write", "deny"]),
  path: z.strictObject({ type: z.literal("path"), path: z.string() }),
});

/** The rights Codex asks for, as far as they have words. What has none makes the whole unknown: a card never shows less than is granted. */
const known = z.strictObject({
  network: z.strictObject({ enabled: z.boolean().nullish() }).nullish(),
  fileSystem: z.strictObject({ read: paths, write: paths, entries: z.array(entry).optional() }).nullish(),
});

/** One line a right, such as "use the network"; null where a part of the request has no words. */
export function permissionLines(permissions: unknown, words: Words["approval"]): readonly string[] | null {
  const parsed = known.safeParse(permissions);
  if (!parsed.success) return null;
  const { network, fileSystem } = parsed.data;
  // The same right may stand in the old lists and in the new entries.
  return [
    ...new Set([
      ...(network?.enabled ? [words.rights.network] : []),
      ...(fileSystem?.read ?? []).map(words.rights.read),
      ...(fileSystem?.write ?? []).map(words.rights.write),
      ...(fileSystem?.entries ?? []).map(({ access, path }) => words.rights[access](path.path)),
    ]),
  ];
}
