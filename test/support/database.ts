import { randomBytes } from "node:crypto";
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
  const drop = () => onCluster(`drop database if exists ${name} with (force)`);
  return { url: url.href, drop, [Symbol.asyncDispose]: drop };
}

async function onCluster(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject("clusterUrl") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
