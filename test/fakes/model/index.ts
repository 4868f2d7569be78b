/**
 * A scripted model: speaks the Responses API on loopback, so that the real Codex runs without an account or a network.
 * Used by tests and by the offline demo; it knows nothing of a test framework. A reply is an array of parts:
 * `model.enqueue([think("hm"), say("Hello")], [call("shipmate", "ask", {})])` answers the next two requests.
 */
export { fakeModelConfig, fakeModelName, writeFakeCatalog } from "./config.ts";
export { type FakeModel, type Script, startFakeModel } from "./model.ts";
export {
  addFile,
  call,
  cut,
  fail,
  failures,
  gate,
  incomplete,
  type Part,
  patch,
  pause,
  type Reply,
  say,
  shell,
  status,
  think,
  waitFor,
} from "./parts.ts";
export type { ModelRequest } from "./request.ts";
