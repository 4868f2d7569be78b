import { spawn } from "node:child_process";

// Waits for the end of its input, which is the end of Shipmate, however it came about.
const script = `
read -r _
kill -s KILL -- "-$1" 2>/dev/null
for environment in $(grep -lsF "$2" /proc/[0-9]*/environ 2>/dev/null); do
  pid=\${environment#/proc/}
  kill -s KILL "\${pid%/environ}" 2>/dev/null
done
`;

/**
 * Ends app-server and what it started when our own process is killed and cannot do it. A shell of a few hundred
 * kilobytes; returns how to call it off. On Windows nobody guards, and the next start clears up.
 */
export function guardGroup(pid: number, mark: string): () => void {
  if (process.platform === "win32") return () => {};
  const guard = spawn("/bin/sh", ["-c", script, "shipmate-guard", String(pid), mark], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: { PATH: "/usr/bin:/bin" },
  });
  // Without a guard everything works but the worst case.
  guard.on("error", () => {});
  guard.unref();
  if ("unref" in guard.stdin && typeof guard.stdin.unref === "function") guard.stdin.unref();
  return () => void guard.kill("SIGKILL");
}
