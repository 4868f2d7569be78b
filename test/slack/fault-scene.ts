import { expect } from "vitest";
import type { Slack } from "../fakes/slack/index.ts";
import type { Wired } from "./harness.ts";

export const eventually = <T>(probe: () => T) => expect.poll(probe, { timeout: 15_000, interval: 5 });
export const texts = ({ events }: Wired) => events.map((event) => (event.kind === "message" ? event.text : event.kind));
export const openSockets = (slack: Slack) => slack.sockets().filter(({ open }) => open);

/** Nothing of our tokens in anything the adapter said. */
export function expectNoToken({ slack, states, warnings }: Wired, ...more: unknown[]): void {
  const said = JSON.stringify([states, warnings, more]);
  expect(said).not.toContain(slack.botToken);
  expect(said).not.toContain(slack.appToken);
  expect(said).not.toMatch(/ticket=(?!\[secret\])/u);
}
