import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, say, shell } from "../fakes/model/index.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createClaimedWorld();
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const skill = "---\nname: release-notes\ndescription: Writes release notes.\n---\nLead with the walnut.\n";
const copy = () => join(world.home, "workspaces", "milo", ".agents", "skills", "release-notes", "SKILL.md");
const told = (text: string) =>
  world.telegram.waitForMessage(world.telegram.ada, (message) => message.text.includes(text));
const ask = (text: string) => world.telegram.say(world.telegram.ada, world.telegram.ada, text);
const press = async (text: string, label: string) => world.telegram.press(world.telegram.ada, await told(text), label);

async function asked(text: string, answer: string) {
  world.model.enqueue([say(answer)]);
  ask(text);
  await told(answer);
  return world.model.requests.at(-1);
}

describe("a skill", () => {
  it("is uploaded, given to a teammate, and told to the model when somebody names it", async () => {
    const { telegram } = world;
    const { ada } = telegram;
    expect((await asked("Hello", "Hello, Ada."))?.text).not.toContain("walnut");
    telegram.sendDocument(ada, ada, { name: "SKILL.md", bytes: Buffer.from(skill), caption: "/skills" });
    await press("Who should have it?", "Give to Milo");
    await told("Has it: Milo");
    const request = await asked("/release-notes please", "Here they are.");
    expect(request?.text).toContain("Lead with the walnut.");
    expect(request?.text).toContain("/release-notes please");
    // It is the conversation that was there before.
    expect(request?.text).toContain("Hello, Ada.");
    expect(await readFile(copy(), "utf8")).toBe(skill);
  });

  it("is out of the workspace once it was taken away", async () => {
    ask("/skills release-notes");
    await press("Has it: Milo", "Take from Milo");
    await told("Has it: nobody yet");
    await asked("Hello again", "Still here.");
    await expect(access(copy())).rejects.toThrow();
  });

  it("that a teammate wrote itself is one after the owner has seen and approved it", async () => {
    const { model } = world;
    const own = skill.replaceAll("release-notes", "invoices").replace("walnut", "almond");
    model.enqueue(
      [shell(`mkdir -p drafts/invoices && printf '%s' '${own}' > drafts/invoices/SKILL.md`)],
      [call("shipmate", "manage_skill", { action: "install", path: "drafts/invoices" })],
      [say("It is installed.")],
    );
    ask("Learn how we write invoices.");
    const card = await told("Install the skill “invoices” for itself");
    expect(card.text).toContain("Lead with the almond.");
    world.telegram.press(world.telegram.ada, card, "Approve");
    await told("It is installed.");
    expect(model.requests.at(-1)?.lastOutput).toContain("Installed: invoices.");
    expect((await asked("/invoices now", "Lead: almond."))?.text).toContain("Lead with the almond.");

    model.enqueue(
      [call("shipmate", "manage_skill", { action: "uninstall", name: "release-notes" })],
      [say("Not mine.")],
    );
    ask("Remove the release notes.");
    await told("Not mine.");
    expect(model.requests.at(-1)?.lastOutput).toContain("Not removed:");
    model.enqueue([call("shipmate", "manage_skill", { action: "uninstall", name: "invoices" })], [say("Gone it is.")]);
    ask("Remove the invoices.");
    await told("Gone it is.");
    expect(await world.query("select name from skills where removed_at is null")).toEqual([{ name: "release-notes" }]);
  });

  it("stays out when the approval is denied", async () => {
    const { model } = world;
    model.enqueue(
      [call("shipmate", "manage_skill", { action: "install", path: "drafts/invoices" })],
      [say("Then not.")],
    );
    const before = world.telegram.chat(world.telegram.ada).fromBot.length;
    ask("Install it again.");
    const card = await world.telegram.waitFor(() =>
      world.telegram
        .chat(world.telegram.ada)
        .fromBot.slice(before)
        .find((message) => message.text.includes("Install the skill")),
    );
    world.telegram.press(world.telegram.ada, card, "Deny");
    await told("Then not.");
    expect(model.requests.at(-1)?.lastOutput).toContain("Not approved");
    expect(await world.query("select name from skills where removed_at is null")).toEqual([{ name: "release-notes" }]);
  });
});
