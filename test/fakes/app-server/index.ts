/**
 * A stand-in for app-server: measures our own cost without Codex's, and produces faults on demand (hangs, drops,
 * overload, odd messages). `turn.ask("item/commandExecution/requestApproval", …)` in a script raises an approval.
 */
export { type FakeAppServer, type FakeAppServerOptions, startFakeAppServer } from "./server.ts";
export type { TurnControl, TurnScript } from "./thread.ts";
