/**
 * A stand-in for app-server: measures our own cost without Codex's, and produces faults on demand (hangs, drops,
 * overload, odd messages). `turn.ask("item/commandExecution/requestApproval", …)` in a script raises an approval.
 */
export { type FakeAppServer, startFakeAppServer } from "./server.ts";
