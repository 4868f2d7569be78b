import { type Bundle, type BundleFile, mostBytes, mostFiles, toBundle } from "./bundle.ts";
import type { SkillProblem } from "./skill-file.ts";

/** Reads a ZIP archive. Sizes are checked before anything is unpacked, so that a small archive cannot become a huge folder. */
export async function bundleOfArchive(archive: Uint8Array): Promise<Bundle | SkillProblem> {
  const listed = list(archive);
  if (typeof listed === "string") return listed;
  // Loaded where somebody hands over an archive: few ever do.
  const { unzipSync } = await import("fflate");
  const modes = new Map(listed.map(({ path, mode }) => [path, mode]));
  try {
    const unpacked = unzipSync(archive, { filter: ({ name }) => modes.has(name) });
    const files = Object.entries(unpacked).map(
      ([path, bytes]): BundleFile => ({ path, bytes, isExecutable: ((modes.get(path) ?? 0) & 0o100) !== 0 }),
    );
    return await toBundle(files);
  } catch {
    return "not_an_archive";
  }
}

interface Entry {
  readonly path: string;
  /** As Unix has it; 0 where the archive says nothing. */
  readonly mode: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const madeByUnix = 3;
const kindOfFile = 0o170000;
const link = 0o120000;

/** The files by the archive's own list, which alone says what is a link and what can be run. */
function list(archive: Uint8Array): readonly Entry[] | SkillProblem {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  if (end === undefined) return "not_an_archive";
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let bytes = 0;
  const entries: Entry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entrySignature) return "not_an_archive";
    const nameLength = view.getUint16(at + 28, true);
    const path = Buffer.from(archive.subarray(at + 46, at + 46 + nameLength)).toString("utf8");
    const mode = view.getUint8(at + 5) === madeByUnix ? view.getUint32(at + 38, true) >>> 16 : 0;
    bytes += view.getUint32(at + 24, true);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if ((mode & kindOfFile) === link) return "link";
    if (bytes > mostBytes) return "too_large";
    if (path.endsWith("/") || isLitter(path)) continue;
    entries.push({ path, mode });
    if (entries.length > mostFiles) return "too_many_files";
  }
  return entries;
}

/** The list's end stands at the end of the archive, before a comment of any length. */
function endOf(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= first; at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  return undefined;
}

/** What some systems add to every archive. */
function isLitter(path: string): boolean {
  return path.startsWith("__MACOSX/") || /(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/u.test(path);
}
