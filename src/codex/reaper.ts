import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { bornAt } from "../shared/index.ts";
import { folderMark } from "./launch.ts";
import { signalGroup } from "./process.ts";

/** A process, known beyond doubt: numbers are used again, but not with the same moment of birth. */
const processSchema = z.object({ pid: z.number().int().positive(), born: z.string() });
const recordSchema = z.object({ owner: processSchema, server: processSchema });

/** Written beside Codex's files while our app-server runs. */
export type ServerRecord = z.infer<typeof recordSchema>;

export function writeRecord(path: string, pid: number): void {
  const record: ServerRecord = {
    owner: { pid: process.pid, born: bornAt(process.pid) ?? "" },
    server: { pid, born: bornAt(pid) ?? "" },
  };
  writeFileSync(path, JSON.stringify(record), { mode: 0o600 });
}

export function removeRecord(path: string): void {
  rmSync(path, { force: true });
}

function readRecord(path: string): ServerRecord | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    // Half written when the machine went down; it can only be a predecessor that is gone.
    return undefined;
  }
}

export type Predecessor =
  | { status: "none" }
  | { status: "reaped"; count: number }
  | { status: "alive"; ownerPid: number };

/** Ends what an earlier Shipmate on this folder left behind. Touches nothing when that Shipmate still lives. */
export async function reapPredecessor(recordPath: string, codexHome: string): Promise<Predecessor> {
  const record = readRecord(recordPath);
  if (record !== undefined && record.owner.pid !== process.pid && isSame(record.owner)) {
    return { status: "alive", ownerPid: record.owner.pid };
  }
  let count = 0;
  if (record !== undefined && isSame(record.server)) {
    signalGroup(record.server.pid, "SIGKILL");
    count += 1;
  }
  count += await reapMarked(codexHome);
  removeRecord(recordPath);
  return count === 0 ? { status: "none" } : { status: "reaped", count };
}

/**
 * Ends every process that carries our mark in its environment. Commands that agents start live in sessions of their
 * own, outlive app-server, and are in nobody's process group but theirs. Linux only; elsewhere nothing is found.
 */
export async function reapMarked(codexHome: string): Promise<number> {
  const mark = folderMark(codexHome);
  let count = 0;
  // A few rounds, as a process may have started another one while we looked.
  for (let round = 0; round < 5; round += 1) {
    const found = markedProcesses(mark);
    if (found.length === 0) break;
    for (const pid of found) kill(pid);
    if (round === 0) count = found.length;
    await sleep(20);
  }
  return count;
}

function markedProcesses(mark: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).some((entry) => entry.startsWith(mark)));
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // Gone meanwhile, or another user's, which is not ours either.
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone meanwhile.
  }
}

function isSame({ pid, born }: ServerRecord["owner"]): boolean {
  return born !== "" && bornAt(pid) === born;
}
