/**
 * A stand-in for Slack on loopback: the Web API, Socket Mode, files and response_url, as strict as the real one where
 * it matters, people who act in it, and faults. Speaks what Shipmate uses; knows nothing of Shipmate and of no test runner.
 */
import type { Slack, SlackOptions } from "./api.ts";

export type {
  Acted,
  Call,
  ChannelOptions,
  GivenFile,
  MessageRef,
  PersonOptions,
  SayOptions,
  SeenAuthor,
  SeenButton,
  SeenEphemeral,
  SeenFile,
  SeenInput,
  SeenMessage,
  SeenOption,
  SeenPrompt,
  SeenSelect,
  SeenSocket,
  SeenStatus,
  SeenView,
  SentEnvelope,
  Slack,
  SlackOptions,
  SlackTiming,
} from "./api.ts";
export type { Faults } from "./faults.ts";

/** Starts the stand-in. Ada and a channel `general` are in it; `await using` or `close` ends it. */
export async function createSlack(_options: SlackOptions = {}): Promise<Slack> {
  throw new Error("the Slack stand-in is being built");
}
