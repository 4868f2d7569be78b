import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { vi } from "vitest";
import { type FakeModel, fakeModelName, startFakeModel } from "../fakes/model/index.ts";
import { createTestDatabase } from "./database.ts";
import { type ShipmateProcess, startShipmate } from "./shipmate.ts";

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));

/** The one-time code of every world. */
export const ownerCode = "ABCD-2345";

export type Environment = Readonly<Record<string, string>>;

/** A model, a database and a home around the shipped command: everything it needs but the chats. */
export interface Machine extends AsyncDisposable {
  readonly model: FakeModel;
  readonly home: string;
  readonly databaseUrl: string;
  /** Starts the shipped command and waits until it is ready. */
  start(env?: Environment): Promise<ShipmateProcess>;
  /** Starts the shipped command, for better or worse. */
  launch(env?: Environment, checkout?: string): ShipmateProcess;
  /** Resolves when nothing waits to be posted: every answer of a platform was noted. */
  allPosted(): Promise<void>;
  /** One statement on its database. */
  query(statement: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/** `env` names the bots. */
export async function createMachine(env: Environment): Promise<Machine> {
  await mkdir(scratch, { recursive: true });
  const home = await mkdtemp(`${scratch}home-`);
  const [model, database] = await Promise.all([startFakeModel(), createTestDatabase()]);
  const processes: ShipmateProcess[] = [];
  const settings = {
    DATABASE_URL: database.url,
    OPENAI_API_KEY: "offline-model-key",
    OPENAI_BASE_URL: model.url,
    SHIPMATE_MODEL: fakeModelName,
    SHIPMATE_OWNER_CODE: ownerCode,
    ...env,
  };
  async function query(statement: string, values: readonly unknown[] = []) {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement, [...values])).rows;
    } finally {
      await client.end();
    }
  }
  function launch(more: Environment = {}, checkout?: string): ShipmateProcess {
    const from = checkout === undefined ? {} : { checkout };
    const shipmate = startShipmate({ home, env: { ...settings, ...more }, ...from });
    processes.push(shipmate);
    return shipmate;
  }
  return {
    model,
    home,
    databaseUrl: database.url,
    launch,
    async start(more = {}) {
      const shipmate = launch(more);
      await shipmate.says(/Shipmate is ready/);
      return shipmate;
    },
    async allPosted() {
      const waiting = () => query("select id from posts where status in ('pending', 'sending')");
      await vi.waitFor(async () => {
        if ((await waiting()).length > 0) throw new Error("something still waits to be posted");
      }, 10_000);
    },
    query,
    async [Symbol.asyncDispose]() {
      for (const shipmate of processes) await shipmate.end("SIGKILL");
      await model.close();
      await database.drop();
      // Its Codex may still be writing its last lines.
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
