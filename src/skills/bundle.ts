import { createHash } from "node:crypto";
import { readHeader, type SkillHeader, type SkillProblem } from "./skill-file.ts";

export const mostFiles = 200;
export const mostBytes = 5 * 1024 * 1024;
export const skillFileName = "SKILL.md";

export interface BundleFile {
  /** Below the skill's folder, parted by "/". */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** A whole skill, checked: what is in it can be written to a disk. */
export interface Bundle extends SkillHeader {
  readonly files: readonly BundleFile[];
  /** Changes exactly when a file does, its name, or whether it can be run. */
  readonly contentHash: string;
}

/** Checks what somebody handed over as a skill. */
export async function toBundle(files: readonly BundleFile[]): Promise<Bundle | SkillProblem> {
  const problem = problemIn(files);
  if (problem) return problem;
  const inside = withoutTopFolder(files);
  const skillFile = inside.find(({ path }) => path === skillFileName);
  if (!skillFile) return "no_skill_file";
  const header = await readHeader(Buffer.from(skillFile.bytes).toString("utf8"));
  if (typeof header === "string") return header;
  return { ...header, files: inside, contentHash: contentHash(inside) };
}

/** A SKILL.md alone. */
export function bundleOfText(text: string): Promise<Bundle | SkillProblem> {
  return toBundle([{ path: skillFileName, bytes: Buffer.from(text), isExecutable: false }]);
}

export function contentHash(files: readonly BundleFile[]): string {
  const hash = createHash("sha256");
  for (const { path, bytes, isExecutable } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${JSON.stringify(path)} ${bytes.byteLength} ${isExecutable ? "x" : "-"}\n`).update(bytes);
  }
  return hash.digest("hex");
}

function problemIn(files: readonly BundleFile[]): SkillProblem | null {
  if (files.length > mostFiles) return "too_many_files";
  if (files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > mostBytes) return "too_large";
  return files.every(({ path }) => isInside(path)) && areApart(files) ? null : "bad_path";
}

/** No path that leads out of the folder, on any system, and none that no system takes. */
function isInside(path: string): boolean {
  if (path.length > 400 || /[\\:\p{Cc}]/u.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && part.length <= 120);
}

/** No two of the same name, and no file where another one has its folder; also where a disk ignores case. */
function areApart(files: readonly BundleFile[]): boolean {
  const paths = new Set(files.map(({ path }) => path.toLowerCase()));
  if (paths.size !== files.length) return false;
  return [...paths].every((path) => {
    const parts = path.split("/");
    return parts.every((_, index) => index === 0 || !paths.has(parts.slice(0, index).join("/")));
  });
}

/** An archive of a folder has the folder's name before each path. */
function withoutTopFolder(files: readonly BundleFile[]): readonly BundleFile[] {
  const [first] = files[0]?.path.split("/") ?? [];
  const prefix = `${first}/`;
  if (files.some(({ path }) => path === skillFileName) || !files.every(({ path }) => path.startsWith(prefix))) {
    return files;
  }
  return files.map((file) => ({ ...file, path: file.path.slice(prefix.length) }));
}
