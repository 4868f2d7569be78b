import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { say } from "../fakes/model/index.ts";
import type { Person } from "../fakes/telegram/index.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createClaimedWorld();
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const answer = (person: Person, text: string) =>
  world.telegram.waitForMessage(person, (message) => message.text.includes(text));

/** Asks for an invitation and returns its code. */
async function invite(by: Person, role = ""): Promise<string> {
  const { telegram } = world;
  const before = telegram.chat(by).fromBot.length;
  telegram.say(by, by, `/invite ${role}`.trim());
  const message = await telegram.waitFor(() =>
    telegram
      .chat(by)
      .fromBot.slice(before)
      .find((each) => each.text.includes("This code makes one person")),
  );
  return /^[A-Z2-9]{4}-[A-Z2-9]{4}$/m.exec(message.text)?.[0] ?? "";
}

describe("an invitation", () => {
  it("is a code that lets one person in, who can work at once", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const ben = telegram.person("Ben");
    const late = telegram.person("Late");
    const code = await invite(ada);
    const told = await answer(ada, "This code makes one person a member. It works once, within 15 minutes:");
    expect(told.text).toContain("https://t.me/shipmate_bot");

    telegram.say(ben, ben, code.toLowerCase().replace("-", " "));
    const welcome = await answer(ben, "Welcome, Ben. Say hello to Milo.");
    expect(welcome.keyboard.flat().length).toBeGreaterThan(0);
    model.enqueue([say("Hello Ben, I'm Milo.")]);
    telegram.say(ben, ben, "hello");
    await answer(ben, "Hello Ben, I'm Milo.");

    telegram.say(late, late, `/start ${code}`);
    await answer(late, "That code was used already. Ask for a new one.");
    telegram.say(late, late, "let me in anyway");
    await answer(late, "I work for a team here. Ask Ada for an invitation.");
    expect(model.requests).toHaveLength(1);
  });

  it("runs out", async () => {
    const { telegram } = world;
    const slow = telegram.person("Slow");
    const code = await invite(telegram.ada);
    await world.query("update claim_codes set expires_at = now() - interval '1 second' where used_at is null");
    telegram.say(slow, slow, code);
    await answer(slow, "That code has expired. Ask for a new one.");
  });

  it("is not guessed: a wrong code is told so, and after five there is silence", async () => {
    const { telegram } = world;
    const guesser = telegram.person("Guesser");
    for (const last of ["A", "B", "C", "D", "E", "F", "G"]) telegram.say(guesser, guesser, `/start WXYZ-WXY${last}`);
    await answer(guesser, "I don't know that code. Check it, or ask for a new one.");
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    await world.allPosted();
    expect(telegram.chat(guesser).fromBot.length).toBeLessThanOrEqual(5);
  });

  it("is given by the owner and admins, each for roles below their own", async () => {
    const { telegram } = world;
    const { ada } = telegram;
    const member = await world.hire("Mo");
    const admin = await world.hire("Adam", "admin");
    telegram.say(member, member, "/invite");
    await answer(member, "Only the owner and admins can do that.");
    telegram.say(admin, admin, "/invite owner");
    expect((await answer(admin, "You can invite as")).text).toBe(
      "You can invite as manager, member or guest. For example: /invite manager",
    );
    const code = await invite(admin, "guest");
    const guest = telegram.person("Gil");
    telegram.say(guest, guest, code);
    await answer(guest, "Welcome, Gil.");
    telegram.say(guest, guest, "/invite");
    await answer(guest, "Only the owner and admins can do that.");

    telegram.say(member, member, "/status");
    const status = await answer(member, "Nothing runs, nothing waits.");
    expect(status.text).not.toContain("Database");
    telegram.say(ada, ada, "/status");
    expect((await answer(ada, "Nothing runs, nothing waits.")).text).toContain("Database: your own");
  });

  it("is never shown in a group", async () => {
    const { telegram } = world;
    const group = await world.openGroup({ title: "Open" });
    telegram.say(telegram.ada, group, "/invite@shipmate_bot");
    await telegram.waitForMessage(group, (message) => message.text === "Please ask me that in a direct message.");
    expect(telegram.chat(group).fromBot.some((message) => /[A-Z2-9]{4}-[A-Z2-9]{4}/.test(message.text))).toBe(false);
  });
});
