import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { inject } from "vitest";

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** Drops the database, whoever is still connected. */
  drop(): Promise<void>;
}

/** A migrated database of its own, on the cluster of this run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onCluster(`create database ${name} template ${inject("templateDatabase")} strategy file_copy`);
  const url = new URL(inject("clusterUrl"));
  url.pathname = `/${name}`;
  const drop = async () => {
    await settled(name);
    await onCluster(`drop database if exists ${name} with (force)`);
  };
  return { url: url.href, drop, [Symbol.asyncDispose]: drop };
}

/** pg closes a pool before its connections are gone; dropping the database under them would be an error of nobody's making. */
async function settled(name: string): Promise<void> {
  for (let look = 0; look < 20; look++) {
    const rows = await onCluster(`select 1 from pg_stat_activity where datname = '${name}'`);
    if (rows.length === 0) return;
    await pause(25);
  }
}

async function onCluster(statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: inject("clusterUrl") });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
