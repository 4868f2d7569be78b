/** Storage cannot work; the message is a sentence for the operator that says what to do. */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

/** The operating system's error code (`ENOSPC`, `EACCES` …) of whatever was thrown, if it has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What the operator should do about a folder that cannot be written, or undefined when the trouble is another one. */
export function folderTrouble(trouble: string, folder: string): string | undefined {
  if (/ENOSPC|EDQUOT|No space left|Disk quota/i.test(trouble)) {
    return `The disk that holds ${folder} is full. Free some space and start again; nothing was lost.`;
  }
  if (/EACCES|EPERM|Permission denied|Operation not permitted/i.test(trouble)) {
    return `This user may not write to ${folder}. Give it that folder, or set SHIPMATE_HOME to one it owns.`;
  }
  if (/EROFS|Read-only file system/i.test(trouble)) {
    return `${folder} is on a read-only disk. Set SHIPMATE_HOME to a folder that can be written.`;
  }
  return undefined;
}

/** Connection trouble, conflicts between transactions, no room, somebody's intervention, a failing disk: they pass. */
const passingClasses = ["08", "40", "53", "55", "57", "58"];

/** The way to the database is interrupted. */
const lineErrors = /^E(?:CONNRESET|CONNREFUSED|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)$/;

/** Whether the database may take the same another time: it was away, full or busy, and nothing is wrong with what we said. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (code !== undefined) return lineErrors.test(code) || passingClasses.includes(code.slice(0, 2));
  return /connection (?:terminated|ended|closed)|not queryable|connection timeout/i.test(error.message);
}
