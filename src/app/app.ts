import { setTimeout as sleep } from "node:timers/promises";
import { createAccess, createAccountWatch, createSignIns, firstOf, readAccounts } from "../access/index.ts";
import type { CodexServerOptions } from "../codex/index.ts";
import type { Config } from "../config.ts";
import { type FormDesk, type Readiness, startHttp } from "../http/index.ts";
import type { SystemLine } from "../inbox/index.ts";
import { startMcpWork } from "../mcp/index.ts";
import { createRunWorker, type RunWorker } from "../runs/index.ts";
import {
  type Clock,
  type Log,
  nameThisProcess,
  openSeal,
  readableName,
  StartError,
  systemClock,
} from "../shared/index.ts";
import { inTransaction, type Lease, openStorage, type Storage, type Unit } from "../storage/index.ts";
import { createTools } from "../tools/index.ts";
import { wordsFor } from "../words/index.ts";
import { accessSettings, type Codex, createCodex } from "./codex.ts";
import { startDrafts } from "./drafts.ts";
import { type ConnectionSpec, createGateway, type Gateway } from "./gateway.ts";
import { offerClaim } from "./owner.ts";
import { publicAddress } from "./public-address.ts";
import { createRooms, type Rooms } from "./rooms.ts";
import { type Sweeps, startSweeps } from "./sweeps.ts";

export interface AppOptions {
  readonly config: Config;
  readonly version: string;
  readonly connections: readonly ConnectionSpec[];
  readonly log: Log;
  /** Shows a line to whoever started this process. */
  readonly say: (line: string) => void;
  /** More for our own app-server, such as a list of models. */
  readonly codex?: Pick<CodexServerOptions, "modelCatalog" | "config"> | undefined;
  /** Where a key is used, other than at OpenAI. */
  readonly keyUrl?: string | undefined;
  /** The system's when absent. */
  readonly clock?: Clock | undefined;
}

export interface App {
  /** What keeps it from working as configured, in sentences. */
  readonly problems: readonly string[];
  readonly httpPort: number | undefined;
  /** Resolves when nothing is in line or at work any more, but for what waits for a person. */
  idle(): Promise<void>;
  /** Takes nothing more, lets what runs finish for up to `graceMs`, and ends. Resolves with the number of runs that were cut. */
  stop(graceMs?: number): Promise<{ readonly cut: number }>;
}

const defaultGraceMs = 20_000;
const leaseMs = 15_000;
const leaseSlackMs = 2_000;
const leasePauseMs = 500;
const idlePauseMs = 200;

/** Starts the roles of this process in the order in which they need each other. What was started is stopped again when a later one fails. */
export async function startApp(options: AppOptions): Promise<App> {
  const started = new AsyncDisposableStack();
  try {
    const app = await start(options, started);
    const rest = started.move();
    return {
      ...app,
      async stop(graceMs = defaultGraceMs) {
        const cut = await app.drain(graceMs);
        await rest.disposeAsync();
        return { cut };
      },
    };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

async function start(options: AppOptions, started: AsyncDisposableStack) {
  const { config, log, say } = options;
  const has = (role: "gateway" | "worker" | "scheduler" | "http") => config.roles.has(role);
  const holder = nameThisProcess();

  const codex = has("worker")
    ? started.adopt(createCodex({ ...options, extra: options.codex }), (each) => each.close())
    : undefined;
  const codexReady = codex?.ready();
  codexReady?.catch(() => {}); // Awaited below; a failure must not count as unhandled while the storage opens.
  const storage = started.use(await openStorage(config, log));
  const gateway = createGateway({ storage, specs: options.connections, log, say });
  const address = publicAddress(config);
  const rooms = createRooms({
    storage,
    adapters: gateway,
    home: config.home,
    seal: await openSeal(config.home),
    address: address.now,
    clock: options.clock ?? systemClock,
    log,
    system: async () => systemLines(options, codex),
  });
  await inTransaction(storage.db, log, (unit) => rooms.teammates.ensureDefault(unit));
  await gateway.connect();
  await codexReady;

  const worker = codex && (await startWorker({ options, storage, gateway, rooms, codex, holder, started }));
  const nobodyPays = worker !== undefined && firstOf(await readAccounts(storage.db)) === undefined;
  const sweeps = has("scheduler") ? started.use(await startSweeps({ storage, rooms, log })) : undefined;
  if (has("gateway")) {
    started.defer(() => gateway.stopSending());
    // First: what the person at a terminal typed meanwhile would otherwise be a stranger's word, and lost.
    await offerClaim({ storage, gateway, rooms, ownerCode: config.ownerCode, log, say });
    await gateway.serve(rooms, holder);
  }
  const http = has("http")
    ? started.adopt(
        await startHttp({
          ...config.http,
          readiness: () => readiness({ storage, gateway, codex, config }),
          forms: formDesk(rooms, storage),
          receiveHook: (call) => rooms.webhooks.receive(storage.db, call),
          calendarFile: (token, teammate) => rooms.calendars.file(storage.db, token, teammate),
          address: address.now,
          clock: rooms.clock,
          log,
        }),
        (each) => each.close(),
      )
    : undefined;
  if (http) address.listensOn(http.port);
  return {
    get problems() {
      return nobodyPays ? [...gateway.problems, wordsFor(undefined).start.noModel] : gateway.problems;
    },
    httpPort: http?.port,
    async idle() {
      while (!(await isIdle(worker, storage))) await sleep(idlePauseMs);
    },
    drain: (graceMs: number) => drain({ gateway, worker, sweeps, graceMs }),
  };
}

function formDesk({ webForms, formHandlers }: Rooms, { db }: Storage): FormDesk {
  return {
    open: (token) => webForms.open(db, token),
    submit: (token, values) => webForms.submit(db, token, values, formHandlers),
  };
}

interface WorkerParts {
  readonly options: AppOptions;
  readonly storage: Storage;
  readonly gateway: Gateway;
  readonly rooms: Rooms;
  readonly codex: Codex;
  readonly holder: string;
  readonly started: AsyncDisposableStack;
}

/** One worker owns a computer: its lease keeps a second one from driving the same Codex home. */
async function startWorker(parts: WorkerParts): Promise<RunWorker> {
  const { options, storage, gateway, rooms, codex } = parts;
  const { config, log } = options;
  const computer = "main";
  const ownsComputer = await holdComputer(parts, computer);
  const access = await startAccess(parts);
  const worker = createRunWorker({
    ...rooms,
    ...access,
    db: storage.db,
    log,
    queues: storage.queues,
    adapters: gateway,
    connection: codex.connection,
    threads: codex.threads,
    tools: createTools({ ...rooms, db: storage.db, log }),
    settings: {
      computer,
      ownsComputer,
      home: config.home,
      maxConcurrentRuns: config.maxConcurrentRuns,
      codexOutlivesUs: codex.remote,
      isolated: config.isolated,
    },
  });
  await startMcp(parts);
  const { connection } = codex;
  const drafts = await startDrafts({ storage, rooms, connection, access: access.access, log });
  parts.started.defer(() => drafts.close());
  await worker.start();
  return worker;
}

/** Tests MCP servers, and signs in to them, where Codex is. */
async function startMcp({ options, storage, rooms, codex, started }: WorkerParts): Promise<void> {
  const { config, log } = options;
  const { clock, mcp, tellMcp } = rooms;
  const { db, queues } = storage;
  const seal = await openSeal(config.home);
  const { connection } = codex;
  started.use(await startMcpWork({ db, log, clock, seal, home: config.home, connection, queues, mcp, tell: tellMcp }));
}

/** Who pays, as this computer's Codex knows it; ends with the rest. */
async function startAccess({ options, storage, rooms, codex, started }: WorkerParts) {
  const { db } = storage;
  const { log } = options;
  const { clock, keys, mailbox, showSignIn } = rooms;
  const { connection } = codex;
  const settings = { ...accessSettings(options.config), keyUrl: options.keyUrl };
  const watch = createAccountWatch({ db, log, clock, connection, settings });
  started.defer(() => watch.stop());
  await watch.start();
  const onUsable = async (unit: Unit) => void (await mailbox.endLimit(unit));
  const signIns = createSignIns({ db, log, clock, connection, show: showSignIn, onUsable, look: watch.look });
  started.defer(() => signIns.stop());
  await signIns.start();
  return { access: createAccess({ clock, keys, codex: watch, settings }), signIns };
}

/**
 * Holds the computer until the end: a lease that ran out while the database was away is taken again as soon as it is back.
 * Gives what tells whether it is held now.
 */
async function holdComputer(parts: WorkerParts, computer: string): Promise<() => boolean> {
  const { options, rooms, started } = parts;
  const ended = new AbortController();
  let lease = await takeComputer(parts, computer, onLost);
  started.defer(async () => {
    ended.abort();
    await lease.release();
  });

  function onLost(): void {
    options.log.error("the lease of the computer was lost; it is taken again");
    void takeAgain();
  }

  async function takeAgain(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        lease = await takeComputer(parts, computer, onLost);
        // What came meanwhile was left where it was.
        await rooms.mailbox.sweep();
        return;
      } catch (error) {
        options.log.error({ err: error }, "the lease of the computer could not be taken again yet");
      }
      await sleep(leasePauseMs, undefined, { ref: false });
    }
  }

  return () => lease.valid();
}

/** After a crash the lease runs out by itself: worth waiting for. A process that lives goes on renewing it. */
async function takeComputer(
  { options, storage, holder }: WorkerParts,
  computer: string,
  onLost: () => void,
): Promise<Lease> {
  const words = wordsFor(undefined).start;
  const until = Date.now() + leaseMs + leaseSlackMs;
  for (let first = true; ; first = false) {
    const lease = await storage.leases.acquire({
      key: `computer:${computer}`,
      holder,
      ttlMs: leaseMs,
      onLost,
    });
    if (lease.status === "held") return lease;
    if (Date.now() >= until) throw new StartError(words.computerTaken(readableName(lease.heldBy)));
    if (first) options.say(words.computerWaiting(Math.ceil((leaseMs + leaseSlackMs) / 1000)));
    await sleep(leasePauseMs);
  }
}

async function isIdle(worker: RunWorker | undefined, { db }: Storage): Promise<boolean> {
  const status = await worker?.status(db);
  return status === undefined || (status.queued === 0 && status.running.every((task) => task.status === "waiting"));
}

async function drain(parts: {
  readonly gateway: Gateway;
  readonly worker: RunWorker | undefined;
  readonly sweeps: Sweeps | undefined;
  readonly graceMs: number;
}): Promise<number> {
  await parts.gateway.stopReceiving();
  await parts.sweeps?.stop();
  const stopped = await parts.worker?.stop(parts.graceMs);
  await parts.gateway.settle();
  return stopped?.cut.length ?? 0;
}

interface ReadinessParts {
  readonly storage: Storage;
  readonly gateway: Gateway;
  readonly codex: Codex | undefined;
  readonly config: Config;
}

async function readiness({ storage, gateway, codex, config }: ReadinessParts): Promise<readonly Readiness[]> {
  const database = await storage.ping().then(
    () => ({ role: "database", ready: true }),
    (error: unknown) => ({ role: "database", ready: false, detail: String(error) }),
  );
  const health = codex?.health();
  return [
    database,
    ...(health ? [{ role: "worker", ready: health.ready, detail: health.detail }] : []),
    ...(config.roles.has("gateway")
      ? [{ role: "gateway", ready: gateway.problems.length === 0, detail: gateway.problems.join(" ") }]
      : []),
  ];
}

function systemLines({ version, config }: AppOptions, codex: Codex | undefined): readonly SystemLine[] {
  return [
    { name: "Shipmate", state: version },
    { name: "Codex", state: codex?.health().detail ?? "in another process" },
    { name: "Database", state: config.databaseUrl === undefined ? "built in" : "your own" },
    { name: "Queue", state: config.redisUrl === undefined ? "PostgreSQL" : "Redis" },
  ];
}
