import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import type { SeenMessage } from "../fakes/slack/index.ts";
import type { SlackWorld } from "../support/slack-world.ts";
import { expectAnsweredOnce, expectSettled, type Office, openOfficeAt, thinkingFirst, underWay } from "./office.ts";
import { openBoth } from "./several.ts";
import { openSlack } from "./venue-slack.ts";

let office: Office<SlackWorld, SeenMessage, string>;
beforeAll(async () => {
  office = await openOfficeAt(await openSlack());
});
afterAll(() => office[Symbol.asyncDispose]());

const state = async () => (await office.world.query("select state, state_detail from connections"))[0];
const openSockets = () => office.world.slack.sockets().filter((socket) => socket.open).length;
/** What Ada is told in private from now on. */
function adaHears(): (text: RegExp) => Promise<SeenMessage> {
  const { slack } = office.world;
  const dm = slack.dm(slack.ada);
  const known = slack.fromBot(dm).length;
  return (text) =>
    slack.waitFor(
      () =>
        slack
          .fromBot(dm)
          .slice(known)
          .find((message) => text.test(message.text)),
      20_000,
    );
}

describe("F-03 F-60 the sockets to Slack come and go", () => {
  it("each is renewed in the middle of a task, as Slack asks: nothing is missed", async () => {
    const { slack } = office.world;
    const { plan, thinking } = thinkingFirst();
    const [visit, meanwhile] = [await office.visit(plan), await office.visit()];
    visit.ask();
    await thinking.reached;
    slack.faults.refresh();
    meanwhile.ask();
    thinking.open();
    await visit.hears(/^Thought through\./);
    await expectAnsweredOnce(meanwhile);
    await expectSettled(visit, { says: [/^Thought through\./], turns: 1, sign: "done" });
    await expect.poll(openSockets, { timeout: 10_000 }).toBe(2);
  });

  it("both are cut again and again: what is said meanwhile is answered once", async () => {
    const { slack } = office.world;
    const visits = [await office.visit(), await office.visit(), await office.visit()];
    for (const visit of visits) {
      slack.faults.dropSockets();
      visit.ask();
    }
    for (const visit of visits) await expectAnsweredOnce(visit);
    await expect.poll(openSockets, { timeout: 10_000 }).toBe(2);
  });

  it("both are away for longer than Slack tries: what was said is found in its history, before what comes live", async () => {
    const { slack } = office.world;
    const [before, during, reply, after] = await Promise.all([1, 2, 3, 4].map(() => office.visit()));
    if (!before || !during || !reply || !after) throw new Error("nobody came");
    before.ask();
    await expectAnsweredOnce(before);
    const lost = slack.lost().length;
    const release = slack.faults.pauseSockets();
    during.ask();
    const thread = before.said()[0]?.threadTs;
    slack.say(slack.ada, slack.general, `question ${reply.id}`, { thread });
    // A mention is two events, what is said in a thread one.
    await slack.waitFor(() => slack.lost().length === lost + 3, 30_000);
    release();
    await slack.waitFor(() => openSockets() > 0, 40_000);
    after.ask();
    for (const visit of [during, after]) await expectAnsweredOnce(visit);
    await before.hears(reply.answer);
    expect(reply.turns()).toBe(1);
  }, 120_000);

  it("F-02 killed before Slack heard that we have it: its retries are the same message", async () => {
    const { slack } = office.world;
    const visit = await office.visit();
    const stored = { table: "deliveries", on: "insert", at: "commit" } as const;
    const before = slack.envelopes().length;
    await office.killAt(stored, () => visit.ask(), "committed");
    await office.restart();
    const again = () =>
      slack
        .envelopes()
        .slice(before)
        .filter(({ attempt }) => attempt > 0);
    await slack.waitFor(() => again().some(({ ackedAfterMs }) => ackedAfterMs !== undefined), 20_000);
    await expectAnsweredOnce(visit);
  });

  it("F-01 events that come twice or the wrong way round are one message each", async () => {
    const { slack } = office.world;
    const [first, second] = [await office.visit(), await office.visit()];
    slack.faults.duplicate(undefined, { times: 2 });
    slack.faults.outOfOrder(2);
    first.ask();
    second.ask();
    await expectAnsweredOnce(first);
    await expectAnsweredOnce(second);
  });
});

describe("F-22 Slack is busy", () => {
  it("429 to the answer: it arrives once, after the time it asked for", async () => {
    const visit = await office.visit();
    office.venue.faults.limitPosts(1, 2);
    visit.ask();
    await expectAnsweredOnce(visit);
    const [first, second, third] = visit.posts().map((call) => call.at.getTime());
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it("429 and 500 to everything for a while: nothing is lost and nothing comes twice", async () => {
    const { faults } = office.world.slack;
    const visits = [await office.visit(), await office.visit(), await office.visit()];
    faults.rateLimit("*", { times: 5 });
    faults.serverError("*", { times: 8 });
    for (const visit of visits) visit.ask();
    for (const visit of visits) await expectAnsweredOnce(visit);
  });

  it("a status line that may not be shown keeps no answer waiting", async () => {
    const { slack } = office.world;
    const visit = await office.visit();
    slack.faults.missingScope("assistant:write");
    slack.faults.reject("assistant.threads.setStatus", "missing_scope", { times: 20 });
    visit.ask();
    await expectAnsweredOnce(visit);
    expect(await state()).toMatchObject({ state: "connected" });
  });
});

describe("F-35 it is not known whether Slack took the answer", () => {
  it.each([1, 2, 3])("after %i lost responses it is found by what we noted on it, and seen once", async (times) => {
    const visit = await office.visit();
    office.venue.faults.losePostResponses(times);
    visit.ask();
    await expectAnsweredOnce(visit);
    expect(visit.posts()).toHaveLength(1);
  });

  it("also where nobody can look for it at first", async () => {
    const visit = await office.visit();
    office.venue.faults.losePostResponses();
    office.world.slack.faults.serverError("conversations.replies", { times: 3 });
    visit.ask();
    await expectAnsweredOnce(visit);
    expect(visit.posts()).toHaveLength(1);
  });
});

describe("F-45 the place of a running task goes away", () => {
  /** A task in a channel of its own, which ends after something happened there. */
  async function runIn(name: string, happens: (channel: string) => void): Promise<string> {
    const { slack } = office.world;
    const channel = await office.world.openChannel(slack.channel(name));
    const { plan, thinking } = thinkingFirst();
    const visit = await office.visit(plan);
    visit.ask(channel);
    await thinking.reached;
    happens(channel);
    thinking.open();
    return channel;
  }
  const goesOn = async () => {
    const next = await office.visit();
    next.ask();
    await expectAnsweredOnce(next);
    expect(await state()).toMatchObject({ state: "connected" });
  };

  it("the channel is archived: the owner is told, and the others go on", async () => {
    const { slack } = office.world;
    const hears = adaHears();
    await runIn("harbour", (channel) => slack.archive(slack.ada, channel));
    expect((await hears(/gone or closed to me|archived|removed/i)).text).toContain("harbour");
    await goesOn();
  });

  it("the bot is taken out of it: the owner is told, and the others go on", async () => {
    const { slack } = office.world;
    const hears = adaHears();
    await runIn("deck", (channel) => slack.kick(slack.ada, channel));
    expect((await hears(/gone or closed to me|removed/i)).text).toContain("deck");
    await goesOn();
  });

  it("the question is deleted: nothing goes on for ever, and nothing is said elsewhere", async () => {
    const { slack } = office.world;
    const { plan, thinking } = thinkingFirst();
    const visit = await office.visit(plan);
    visit.ask();
    await thinking.reached;
    const asked = slack.messages(slack.general, { thread: null }).at(-1);
    if (asked) slack.deleteMessage(slack.ada, asked);
    thinking.open();
    await expect.poll(() => underWay(office.venue), { timeout: 20_000 }).toEqual([]);
    expect(slack.messages(slack.general, { thread: null }).filter((message) => message.author.bot)).toEqual([]);
    await goesOn();
  });
});

describe("F-59 Slack takes the token away", () => {
  it("that is said, the other platform goes on, and what waited is posted once it holds again", async () => {
    await using both = await openBoth();
    const { slack, discord, model, query } = both;
    const thinking = gate();
    model.enqueue([waitFor(thinking), say("From Slack.")], [say("From Discord.")]);
    const asked = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> are you there?`);
    await thinking.reached;
    slack.faults.invalidAuth("token_revoked");
    thinking.open();
    const states = async () =>
      (await query("select platform, state from connections order by platform")).map((row) => row.state);
    await expect.poll(states, { timeout: 20_000 }).toEqual(["connected", "misconfigured"]);
    const there = discord.say(discord.ada, discord.general, `${discord.mention()} are you there?`);
    await discord.waitForMessage(there.id, (message) => message.text.includes("From Discord."), 20_000);

    slack.faults.authorize();
    await slack.waitForMessage(slack.general, (message) => message.text.includes("From Slack."), 60_000);
    await expect.poll(states, { timeout: 20_000 }).toEqual(["connected", "connected"]);
    expect(slack.messages(slack.general, { thread: asked.ts }).filter((message) => message.author.bot)).toHaveLength(1);
  }, 120_000);
});
