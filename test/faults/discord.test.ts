import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SeenMessage } from "../fakes/discord/index.ts";
import { say } from "../fakes/model/index.ts";
import { createDiscordWorld, type DiscordWorld } from "../support/discord-world.ts";
import { expectAnsweredOnce, expectSettled, type Office, openOfficeAt, thinkingFirst } from "./office.ts";
import { openDiscord } from "./venue-discord.ts";

let office: Office<DiscordWorld, SeenMessage, string>;
beforeAll(async () => {
  office = await openOfficeAt(await openDiscord());
});
afterAll(() => office[Symbol.asyncDispose]());

const state = async () => (await office.world.query("select state, state_detail from connections"))[0];
/** What Ada is told in private from now on. */
function adaHears(): (text: RegExp) => Promise<SeenMessage> {
  const { discord } = office.world;
  const known = discord.messages(discord.dm(discord.ada)).length;
  return (text) =>
    discord.waitFor(
      () =>
        discord
          .messages(discord.dm(discord.ada))
          .slice(known)
          .find((message) => message.fromUs && text.test(message.text)),
      20_000,
    );
}

describe("F-03 F-60 the line to Discord breaks", () => {
  it("and is taken up again where it was: what was said meanwhile is answered once", async () => {
    const { discord } = office.world;
    const { resumes, identifies } = discord.gateway;
    const visit = await office.visit();
    discord.faults.dropGateway();
    visit.ask();
    await expectAnsweredOnce(visit);
    expect(discord.gateway.resumes).toBe(resumes + 1);
    expect(discord.gateway.identifies).toHaveLength(identifies.length);
  });

  it("while an answer is on its way, again and again", async () => {
    const { discord } = office.world;
    for (let round = 0; round < 3; round += 1) {
      const visit = await office.visit();
      visit.ask();
      discord.faults.dropGateway();
      await discord.waitFor(() => discord.gateway.ready, 20_000);
      discord.faults.requestReconnect();
      await expectAnsweredOnce(visit);
    }
  });

  it("and its session is lost: mentions and what goes on in threads of ours are answered once, others are left alone", async () => {
    const { discord } = office.world;
    const [before, during, aside] = [await office.visit(), await office.visit(), await office.visit()];
    before.ask();
    await expectAnsweredOnce(before);
    const thread = before.said()[0]?.channelId ?? "";
    discord.faults.pauseGateway();
    during.ask();
    discord.say(discord.ada, thread, `question ${aside.id}`);
    discord.say(discord.ada, discord.general, "lunch?");
    discord.faults.resumeGateway();
    await expectAnsweredOnce(during);
    await before.hears(aside.answer);
    await expectSettled(before, { says: [before.answer, aside.answer], turns: 1, sign: "done" });
    expect(aside.turns()).toBe(1);
  });

  it("F-01 events that come twice or the wrong way round are one message each", async () => {
    const { discord } = office.world;
    const [first, second] = [await office.visit(), await office.visit()];
    discord.faults.duplicate("MESSAGE_CREATE", { times: 2 });
    discord.faults.outOfOrder("MESSAGE_CREATE");
    first.ask();
    second.ask();
    await expectAnsweredOnce(first);
    await expectAnsweredOnce(second);
  });
});

describe("F-59 Discord takes something away", () => {
  it("the words of messages (4014): mentions are still answered, and the owner is told what is missing", async () => {
    await using own = await openOfficeAt(await openDiscord());
    const { discord, query } = own.world;
    const before = await own.visit();
    before.ask();
    await before.hears(before.answer);
    discord.faults.refuseIdentify(4014);
    discord.faults.invalidSession(false);
    await expect
      .poll(async () => (await query("select state, state_detail from connections"))[0], { timeout: 30_000 })
      .toEqual({ state: "connected", state_detail: expect.stringContaining("Message Content intent is off") });
    const visit = await own.visit();
    visit.ask();
    await visit.hears(visit.answer);
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
  });

  it("the token: that is said, and what waited is posted once it holds again", async () => {
    const { discord } = office.world;
    const { plan, thinking } = thinkingFirst();
    const visit = await office.visit(plan);
    visit.ask();
    await thinking.reached;
    discord.faults.unauthorize();
    thinking.open();
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ state: "misconfigured" });
    discord.faults.authorize();
    await office.kill();
    await office.restart();
    await visit.hears(/^Thought through\./);
    await expectSettled(visit, { says: [/^Thought through\./], turns: 1, sign: "done" });
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ state: "connected" });
  });
});

describe("F-22 Discord is busy", () => {
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
    const { faults } = office.world.discord;
    const visits = [await office.visit(), await office.visit(), await office.visit()];
    faults.rateLimit("*", { times: 4, retryAfter: 0.5 });
    faults.serverError("*", { times: 8 });
    for (const visit of visits) visit.ask();
    for (const visit of visits) await expectAnsweredOnce(visit);
  });

  it("a sign that may not be set keeps no answer waiting", async () => {
    const { discord } = office.world;
    const visit = await office.visit();
    discord.forbid(discord.general, "AddReactions");
    visit.ask();
    await visit.hears(visit.answer);
    await office.world.allPosted();
    discord.allow(discord.general, "AddReactions");
    expect(visit.said()).toHaveLength(1);
    expect(await state()).toMatchObject({ state: "connected" });
  });
});

describe("F-35 it is not known whether Discord took the answer", () => {
  const places = () => [office.world.discord.general, office.world.discord.dm(office.world.discord.ada)] as const;

  it.each([
    ["through the webhook of a channel", 0, 1],
    ["through the webhook of a channel, twice", 0, 2],
    ["in direct messages", 1, 1],
    ["in direct messages, twice", 1, 2],
  ] as const)("after a lost response it is seen once: %s", async (_, place, times) => {
    const visit = await office.visit();
    office.venue.faults.losePostResponses(times);
    visit.ask(places()[place]);
    await expectAnsweredOnce(visit);
  });

  it("the same words a second time are an answer of their own, also when we were killed in between", async () => {
    const { discord } = office.world;
    const [visit, second] = [await office.visit(() => [say("Done.")]), await office.visit(() => [say("Done.")])];
    visit.ask();
    await visit.hears(/^Done\./);
    await office.world.allPosted();
    office.venue.faults.holdPosts();
    discord.say(discord.ada, visit.said()[0]?.channelId ?? "", `question ${second.id}`);
    await expect
      .poll(() => office.world.query("select 1 from posts where purpose = 'answer' and status = 'sending'"), {
        timeout: 20_000,
      })
      .toHaveLength(1);
    await office.kill();
    office.venue.faults.clear();
    await office.restart();
    await visit.hears(/^Done\./, 2);
    await expectSettled(visit, { says: [/^Done\./, /^Done\./], turns: 1, sign: "done" });
  });

  it("when somebody deletes the webhook in between, another one speaks, once", async () => {
    const { discord } = office.world;
    const before = await office.visit();
    before.ask();
    await expectAnsweredOnce(before);
    const { plan, thinking } = thinkingFirst();
    const visit = await office.visit(plan);
    visit.ask();
    await thinking.reached;
    discord.deleteWebhooks(discord.general);
    thinking.open();
    const answer = await visit.hears(/^Thought through\./);
    expect(answer.author).toMatchObject({ webhook: true, name: "Milo" });
    await expectSettled(visit, { says: [/^Thought through\./], turns: 1, sign: "done" });
    expect(discord.webhooks(discord.general)).toHaveLength(1);
  });
});

describe("F-45 the place of a running task goes away", () => {
  it("the thread: the owner is told, no answer goes elsewhere, and the channel goes on", async () => {
    const { discord } = office.world;
    const hears = adaHears();
    const { plan, thinking } = thinkingFirst();
    const visit = await office.visit(plan);
    visit.ask();
    await thinking.reached;
    await visit.hears(/working/);
    discord.deleteChannel(discord.messages(discord.general).findLast((message) => message.threadId)?.threadId ?? "");
    thinking.open();
    expect((await hears(/gone or closed to me/)).text).toMatch(/thread.*general/);
    const next = await office.visit();
    next.ask();
    await expectAnsweredOnce(next);
    expect(discord.messages(discord.general).filter((message) => message.fromUs)).toEqual([]);
  });

  it("another thread the same day: that is told as well", async () => {
    const { discord } = office.world;
    const hears = adaHears();
    const { plan, thinking } = thinkingFirst();
    const visit = await office.visit(plan);
    visit.ask();
    await thinking.reached;
    await visit.hears(/working/);
    discord.deleteChannel(discord.messages(discord.general).findLast((message) => message.threadId)?.threadId ?? "");
    thinking.open();
    await hears(/gone or closed to me/);
  });

  it("the channel: the owner is told", async () => {
    const { discord } = office.world;
    const harbour = await office.world.openChannel(discord.channel("harbour"));
    const hears = adaHears();
    const { plan, thinking } = thinkingFirst();
    const visit = await office.visit(plan);
    visit.ask(harbour);
    await thinking.reached;
    discord.deleteChannel(harbour);
    thinking.open();
    await hears(/gone or closed to me/);
    const next = await office.visit();
    next.ask();
    await expectAnsweredOnce(next);
  });

  it("the server, because the bot was removed: the owner is told", async () => {
    const { discord } = office.world;
    const elsewhere = discord.addToGuild("Elsewhere");
    const deck = await office.world.openChannel(discord.channel("general", elsewhere));
    const hears = adaHears();
    const { plan, thinking } = thinkingFirst();
    const visit = await office.visit(plan);
    visit.ask(deck);
    await thinking.reached;
    discord.removeFromGuild(elsewhere);
    thinking.open();
    await hears(/gone or closed to me|removed me/i);
    expect(await state()).toMatchObject({ state: "connected" });
    const next = await office.visit();
    next.ask();
    await expectAnsweredOnce(next);
  });
});

it("F-59 starts without the words of messages where the portal forbids them", async () => {
  await using world = await createDiscordWorld({ messageContentIntent: false });
  await world.start();
  await world.claim();
  await world.openChannel();
  expect(await world.query("select state, state_detail from connections")).toEqual([
    { state: "connected", state_detail: expect.stringContaining("Message Content intent is off") },
  ]);
});
