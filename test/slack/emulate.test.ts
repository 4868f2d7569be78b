import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { say } from "../fakes/model/index.ts";
import { createMachine, type Machine, ownerCode } from "../support/machine.ts";
import type { ShipmateProcess } from "../support/shipmate.ts";
import { createOtherSlack, type OtherSlack, type TheirMessage } from "./emulate-bridge.ts";

let slack: OtherSlack;
let machine: Machine;
let shipmate: ShipmateProcess;

async function open(scopes?: readonly string[]): Promise<void> {
  slack = await createOtherSlack(scopes);
  machine = await createMachine(slack.env);
  shipmate = await machine.start();
  await slack.say(slack.dm, ownerCode);
  await shown(slack.dm, /You own this Shipmate/);
  const hello = await slack.say(slack.harbour, slack.mention);
  slack.press(slack.harbour, await shown(slack.harbour, /who may ask me here\?/, hello), "Everyone");
  await shown(slack.harbour, /Everyone may ask me here/, hello);
  await machine.allPosted();
  machine.model.reset();
}
async function close(): Promise<void> {
  await machine[Symbol.asyncDispose]();
  await slack[Symbol.asyncDispose]();
}

/** The message in its own state that matches; in a thread, where one is named. */
function shown(channel: string, text: RegExp, thread?: string): Promise<TheirMessage> {
  const find = async () => {
    const messages = thread === undefined ? await everywhere(channel) : await slack.messages(channel, thread);
    const found = messages.find((message) => text.test(message.text));
    if (found === undefined) throw new Error(`${text} is not in ${JSON.stringify(messages)}`);
    return found;
  };
  return vi.waitFor(find, { timeout: 20_000, interval: 50 });
}
async function everywhere(channel: string): Promise<TheirMessage[]> {
  const roots = await slack.messages(channel);
  return (await Promise.all(roots.map(({ ts }) => slack.messages(channel, ts)))).flat();
}
const answers = async (channel: string, thread: string) =>
  (await slack.messages(channel, thread)).slice(1).map((message) => message.text);

/** The shipped command on a Slack that nobody here wrote: what we believe about Slack, somebody else believes too. */
describe("on somebody else's Slack", () => {
  beforeAll(() => open());
  afterEach(() => machine.model.reset());
  afterAll(close);

  it("a mention is answered once, in its thread, and marked as done; the thread goes on without our name", async () => {
    machine.model.enqueue([say("**Blue**, like the sea.")], [say("Because of the sky.")]);
    const said = await slack.say(slack.harbour, `${slack.mention} which colour?`);
    await shown(slack.harbour, /Blue, like the sea\./, said);
    await vi.waitFor(async () => {
      const [root] = await slack.messages(slack.harbour, said);
      expect(root?.reactions?.map(({ name }) => name)).toEqual(["white_check_mark"]);
    }, 10_000);

    await slack.say(slack.harbour, "why?", said);
    await shown(slack.harbour, /Because of the sky\./, said);
    await machine.allPosted();
    expect(await answers(slack.harbour, said)).toEqual([
      expect.stringContaining("Blue"),
      "why?",
      expect.stringContaining("Because"),
    ]);
    expect(machine.model.requests).toHaveLength(2);
    await vi.waitFor(() => expect([...slack.unacknowledged]).toEqual([]));
  });

  it("what was said while it was down is found in its history, and answered once", async () => {
    machine.model.enqueue([say("Before.")]);
    const thread = await slack.say(slack.harbour, `${slack.mention} before`);
    await shown(slack.harbour, /Before\./, thread);
    await machine.allPosted();
    await shipmate.end("SIGKILL");
    machine.model.reset();
    machine.model.enqueue([say("One answer.")], [say("Another answer.")], [say("A third answer.")]);
    const missed = await slack.say(slack.harbour, `${slack.mention} are you there?`);
    await slack.say(slack.harbour, "and here?", thread);
    const alone = await slack.say(slack.dm, "and here, between us?");
    shipmate = await machine.start();

    await shown(slack.harbour, /answer\./, missed);
    await shown(slack.harbour, /answer\./, thread);
    await shown(slack.dm, /answer\./, alone);
    await machine.allPosted();
    expect(machine.model.requests).toHaveLength(3);
    expect(await answers(slack.harbour, missed)).toHaveLength(1);
  });

  it("what it does not have, and what is beside the point of a conversation, stops nothing", async () => {
    expect([...slack.unknown.keys()]).toEqual(["assistant.threads.setStatus"]);
    const rows = await machine.query("select state, state_detail from connections where platform = 'slack'");
    expect(rows).toEqual([expect.objectContaining({ state: "connected" })]);
  });
});

describe("on somebody else's Slack with hardly any permissions", () => {
  beforeAll(() => open(["app_mentions:read", "chat:write"]));
  afterAll(close);

  it("it answers all the same, without names, signs and what was said before", async () => {
    machine.model.enqueue([say("Here I am.")]);
    const said = await slack.say(slack.harbour, `${slack.mention} are you there?`);
    await shown(slack.harbour, /Here I am\./, said);
    await machine.allPosted();
    expect(await answers(slack.harbour, said)).toHaveLength(1);
    expect((await slack.messages(slack.harbour, said))[0]?.reactions).toBeUndefined();
    expect(machine.model.requests).toHaveLength(1);

    await shipmate.end("SIGKILL");
    machine.model.reset();
    shipmate = await machine.start();
    machine.model.enqueue([say("Back again.")]);
    const later = await slack.say(slack.harbour, `${slack.mention} and now?`);
    await shown(slack.harbour, /Back again\./, later);
  });
});
