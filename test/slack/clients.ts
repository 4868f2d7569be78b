import { LogLevel } from "@slack/socket-mode";
import { ErrorCode, WebClient, type WebClientOptions } from "@slack/web-api";
import { expect } from "vitest";
import type { Slack } from "../fakes/slack/index.ts";

/** No word of the clients in the tests' output. */
export const quiet = { logLevel: LogLevel.ERROR, logger: silent() };

export function client(slack: Slack, token: string): WebClient {
  const options: WebClientOptions = {
    slackApiUrl: slack.url,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  };
  return new WebClient(token, { ...options, ...quiet });
}

interface Refusal {
  readonly error: string;
  readonly needed?: string;
  readonly response_metadata?: { readonly messages?: readonly string[] };
}

export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: ErrorCode.PlatformError });
  return (error as { data: Refusal }).data;
}

export function plain(text: string) {
  return { type: "plain_text" as const, text };
}

export function mrkdwn(text: string) {
  return { type: "mrkdwn" as const, text };
}

export function button(label: string, value: string) {
  return { type: "button" as const, text: plain(label), action_id: `press:${value}`, value };
}

export function row(...elements: ReturnType<typeof button>[]) {
  return { type: "actions" as const, elements };
}

export function choice(count: number, label = "x", value = "v") {
  const options = Array.from({ length: count }, (_, index) => ({
    text: plain(label),
    value: `${value}${index}`.slice(-151),
  }));
  return { type: "static_select", action_id: "choose", options };
}

export function table(rows: number, columns: number, text = "x") {
  const cells = Array.from({ length: columns }, () => ({ type: "raw_text", text }));
  return { type: "table", rows: Array.from({ length: rows }, () => cells) };
}

export function modal(label: string) {
  const element = { type: "plain_text_input" as const, action_id: "text", multiline: true };
  const blocks = [{ type: "input" as const, label: plain(label), element }];
  return { type: "modal" as const, title: plain("Question"), submit: plain("Send"), blocks };
}

function silent() {
  const nothing = () => undefined;
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    setLevel: nothing,
    setName: nothing,
    getLevel: () => LogLevel.ERROR,
  };
}
