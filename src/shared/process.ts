import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { newId } from "./ids.ts";

/**
 * A name for this process that no other one ever has. The part before "#" is for people; the rest lets a process of the
 * same machine find out whether this one still lives.
 */
export function nameThisProcess(): string {
  const { pid } = process;
  return [`${hostname()}, pid ${pid}`, machine(), pid, bornAt(pid) ?? "", newId()].join("#");
}

/** The part of such a name that says something to a person. */
export function readableName(name: string): string {
  return name.split("#")[0] ?? name;
}

/** True where it is certain that the process of this name is gone; false for one of another machine, or of an unknown name. */
export function hasEnded(name: string): boolean {
  const [, where, pid, born] = name.split("#");
  if (!where || where !== machine() || !born || !/^\d+$/.test(pid ?? "")) return false;
  return bornAt(Number(pid)) !== born;
}

/** When a process started, in whatever form the system tells; undefined when there is no such process. */
export function bornAt(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return readLinuxStart(pid);
    const text = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return text === "" ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Where process numbers mean the same as here: a container has numbers of its own. */
function machine(): string {
  try {
    return process.platform === "linux" ? `${bootId()}/${readlinkSync("/proc/self/ns/pid")}` : hostname();
  } catch {
    return "";
  }
}

/** Field 22 of `stat`, counted after the command, which is in parentheses and may contain anything; plus the boot. */
function readLinuxStart(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie has ended; only its parent has not noticed.
  if (fields[0] === "Z") return undefined;
  return `${bootId()}/${fields[19]}`;
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}
