import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, say, shell } from "../fakes/model/index.ts";
import type { ChatTarget, SeenMessage } from "../fakes/telegram/index.ts";
import { createDiscordWorld } from "../support/discord-world.ts";
import { freePort } from "../support/free-port.ts";
import type { ShipmateProcess } from "../support/shipmate.ts";
import { createWorld, type World } from "../support/world.ts";

let world: World;
let shipmate: ShipmateProcess;
beforeAll(async () => {
  world = await createWorld();
  shipmate = await world.start();
  await world.claim();
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const branch = {
  id: "branch",
  header: "Branch",
  question: "which branch should I use?",
  options: [{ label: "main" }, { label: "release/2.4" }],
};
const ask = (...questions: object[]) => call("shipmate", "ask_user", { questions });
const labels = (message: SeenMessage) => message.keyboard.flat().map((button) => button.text);
const linkOn = (message: SeenMessage) => message.keyboard.flat().find((button) => button.url)?.url ?? "";
const now = (message: SeenMessage) => world.telegram.chat(message.chat).messages.find((each) => each.id === message.id);
const answer = (chat: ChatTarget, text: string) =>
  world.telegram.waitForMessage(chat, (message) => message.text.includes(text));
/** A card on which something can be pressed. */
const card = (chat: ChatTarget, text: string) =>
  world.telegram.waitForMessage(chat, (message) => message.text.includes(text) && message.keyboard.length > 0);

describe("a teammate that needs to know something", () => {
  it("asks with buttons, and goes on with the one that was pressed", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([ask(branch)], [say("I take main.")]);
    telegram.say(ada, ada, "cut a release");
    const asked = await card(ada, "Milo asks: which branch should I use?");
    expect(labels(asked)).toEqual(["main", "release/2.4", "Other…", "Skip"]);
    expect(asked.silent).toBe(false);
    telegram.say(ada, ada, "/inbox");
    expect((await answer(ada, "One thing waits for you")).text).toContain("which branch should I use?");
    telegram.press(ada, asked, "main");
    await answer(ada, "I take main.");
    expect(model.requests.at(-1)?.lastOutput).toContain('branch: "main"');
    expect(now(asked)?.text).toBe("Milo asks: which branch should I use?\n\nmain · chosen by Ada");
    expect(now(asked)?.keyboard).toEqual([]);
  });

  it("takes another answer as a reply to Other…, and as a reply to the card itself", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([ask(branch)], [say("The hotfix branch.")]);
    telegram.say(ada, ada, "cut a hotfix");
    const asked = await card(ada, "which branch should I use?");
    telegram.press(ada, asked, "Other…");
    const form = await answer(ada, "Your answer for Milo");
    await world.allPosted();
    telegram.say(ada, ada, "hotfix/7", { replyTo: form.id });
    await answer(ada, "The hotfix branch.");
    expect(now(asked)?.text).toContain("hotfix/7 · answered by Ada");

    model.enqueue([ask({ ...branch, question: "and which tag?" })], [say("Tagged.")]);
    telegram.say(ada, ada, "and tag it");
    const second = await card(ada, "and which tag?");
    await world.allPosted();
    telegram.say(ada, ada, "v2.4.1", { replyTo: second.id });
    await answer(ada, "Tagged.");
    expect(model.requests.at(-1)?.lastOutput).toContain('branch: "v2.4.1"');
    expect(await world.query("select 1 from messages where text = 'v2.4.1'")).toEqual([]);
  });

  it("asks three things in a row: one chosen, several ticked, one skipped", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const parts = {
      id: "parts",
      header: "Parts",
      question: "what goes in?",
      options: [{ label: "docs" }, { label: "code" }, { label: "art" }],
      multiple: true,
    };
    const when = { id: "when", header: "When", question: "when does it go out?" };
    model.enqueue([ask(branch, parts, when)], [say("All set.")]);
    telegram.say(ada, ada, "plan the release");
    const asked = await card(ada, "Milo asks (1 of 3): which branch should I use?");
    telegram.press(ada, asked, "main");
    await card(ada, "Milo asks (2 of 3)");
    telegram.press(ada, now(asked) ?? asked, "docs");
    await telegram.waitFor(() => labels(now(asked) ?? asked).includes("✓ docs"));
    telegram.press(ada, now(asked) ?? asked, "art");
    await telegram.waitFor(() => labels(now(asked) ?? asked).includes("✓ art"));
    telegram.press(ada, now(asked) ?? asked, "Done");
    await card(ada, "Milo asks (3 of 3)");
    expect(now(asked)?.text).toContain("✓ Branch: main\n✓ Parts: docs, art");
    telegram.press(ada, now(asked) ?? asked, "Skip");
    await answer(ada, "All set.");
    expect(model.requests.at(-1)?.lastOutput).toContain('branch: "main"\nparts: "docs", "art"\nwhen: skipped');
    expect(now(asked)?.text).toContain("✓ When: skipped");
  });

  it("lets nobody else answer", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const ben = await world.hire("Ben");
    const group = await world.openGroup({ title: "Askers" });
    model.enqueue([ask(branch)], [say("Main, says Ada.")]);
    telegram.say(ada, group, "@shipmate_bot cut it");
    const asked = await card(group, "which branch should I use?");
    const press = telegram.press(ben, asked, "main");
    await telegram.waitFor(() => press.answer());
    expect(press.answer()?.text).toBe("Only Ada or a manager can answer this.");
    expect(labels(now(asked) ?? asked)).toHaveLength(4);
    telegram.press(ada, asked, "main");
    await answer(group, "Main, says Ada.");
    expect(now(asked)?.text).toContain("main · chosen by Ada");
  });

  it("keeps asking through a restart of the bot, with what was answered before; the last answer starts a new turn", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const when = {
      id: "when",
      header: "When",
      question: "when shall it go?",
      options: [{ label: "Monday" }, { label: "Friday" }],
    };
    model.enqueue([ask({ ...branch, question: "from which branch?" }, when)]);
    telegram.say(ada, ada, "release it, slowly");
    const asked = await card(ada, "from which branch?");
    telegram.press(ada, asked, "release/2.4");
    await card(ada, "when shall it go?");
    await world.allPosted();
    await shipmate.end("SIGKILL");
    shipmate = await world.start();
    await answer(ada, "I restarted in the middle of this");

    model.enqueue([say("Friday it is.")]);
    telegram.press(ada, now(asked) ?? asked, "Friday");
    await answer(ada, "Friday it is.");
    const told = model.requests.at(-1)?.lastUserText ?? "";
    expect(told).toMatch(
      /> from which branch\?\s+Answer:\s+> release\/2\.4[\s\S]*> when shall it go\?\s+Answer:\s+> Friday/,
    );
    expect(now(asked)?.text).toContain("Answered by Ada");
  });
});

describe("a secret", () => {
  const value = "swordfish-99-blue";

  it("is asked for on a page, used once, and stands nowhere", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue(
      [
        ask({
          id: "password",
          header: "Portal password",
          question: "what is the password of the portal?",
          secret: true,
        }),
      ],
      [shell(`test -n ${value}`)],
      [say(`Signed in with ${value}.`)],
    );
    telegram.say(ada, ada, "sign in to the portal");
    const asked = await card(ada, "what is the password of the portal?");
    expect(asked.text).toContain("opens only on the machine where Shipmate runs");
    const url = linkOn(asked);
    const page = await fetch(url);
    expect(await page.text()).toContain("what is the password of the portal?");
    await world.allPosted();
    // A reply in the chat is refused, and is no message either.
    telegram.say(ada, ada, value, { replyTo: asked.id });
    await answer(ada, "Please don't write that here");

    const sent = await fetch(url, { method: "POST", body: new URLSearchParams({ answer: value }) });
    expect(await sent.text()).toContain("Milo has your answer and goes on.");
    await answer(ada, "Signed in with [secret].");
    expect(now(asked)?.text).toContain("Answered by Ada");
    expect(model.requests.some((request) => [...request.outputs.values()].join().includes(value))).toBe(true);
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(url, { method: "POST", body: new URLSearchParams({ answer: "again" }) })).status).toBe(404);

    await world.allPosted();
    expect(await tablesWith(world, value)).toEqual([]);
    expect(shipmate.output()).not.toContain(value);
    const said = telegram.calls().map((each) => JSON.stringify(each.payload));
    expect(said.some((each) => each.includes("Signed in"))).toBe(true);
    expect(said.filter((each) => each.includes(value))).toEqual([]);
  });

  it("in a group comes from a page that only the asked one is given, in private", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const group = await world.openGroup({ title: "Portal" });
    model.enqueue([ask({ id: "pin", header: "PIN", question: "what is the PIN?", secret: true })], [say("Open.")]);
    telegram.say(ada, group, "@shipmate_bot open it");
    const asked = await card(group, "what is the PIN?");
    expect(asked.text).not.toContain("/f/");
    expect(labels(asked)).toEqual(["Answer in private", "Skip"]);
    const press = telegram.press(ada, asked, "Answer in private");
    await telegram.waitFor(() => press.answer());
    expect(press.answer()?.text).toBe("I sent you the link in a direct message.");
    const link = await answer(ada, "Here is the page.");
    const url = linkOn(link);
    await fetch(url, { method: "POST", body: new URLSearchParams({ answer: "2846-1177" }) });
    await answer(group, "Open.");
    expect(await tablesWith(world, "2846-1177")).toEqual([]);
  });
});

describe("with the pages in a process of their own", () => {
  it("a secret reaches the turn that waits in another one", async () => {
    await using split = await createWorld();
    const { telegram, model } = split;
    const { ada } = telegram;
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    await split.start({ SHIPMATE_ROLES: "gateway,worker,scheduler", SHIPMATE_PUBLIC_URL: `${publicUrl}/` });
    await split.start({ SHIPMATE_ROLES: "http", PORT: String(port) });
    await split.claim();
    const value = "elsewhere-4711";
    model.enqueue(
      [ask({ id: "pin", header: "PIN", question: "what is the PIN?", secret: true })],
      [say(`It is ${value}.`)],
    );
    telegram.say(ada, ada, "open it");
    const asked = await telegram.waitForMessage(ada, (message) => message.text.includes("what is the PIN?"));
    expect(asked.text).not.toContain("only on the machine");
    const url = linkOn(asked);
    expect(url.startsWith(`${publicUrl}/f/`)).toBe(true);
    const sent = await fetch(url, { method: "POST", body: new URLSearchParams({ answer: value }) });
    expect(sent.status).toBe(200);
    await telegram.waitForMessage(ada, (message) => message.text.includes("It is [secret]."));
    await split.allPosted();
    expect(await tablesWith(split, value)).toEqual([]);
  });
});

/** Every table of the database that has it, in whatever column. */
async function tablesWith(where: World, text: string): Promise<unknown[]> {
  const tables = await where.query(
    "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')",
  );
  const found: unknown[] = [];
  for (const { name } of tables) {
    const rows = await where.query(`select 1 from ${name} t where position($1 in t::text) > 0 limit 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe("on Discord", () => {
  it("another answer is written into a dialog, and many options are a list", async () => {
    await using there = await createDiscordWorld();
    await there.start();
    await there.claim();
    const { discord, model } = there;
    const dm = discord.dm(discord.ada);
    const four = ["red", "green", "blue", "black"].map((label) => ({ label }));
    model.enqueue([ask({ id: "color", header: "Color", question: "which color?", options: four })], [say("Painted.")]);
    discord.say(discord.ada, dm, "paint it");
    const asked = await discord.waitForMessage(dm, (message) => message.text.includes("which color?"));
    expect(asked.buttons.map((button) => button.label)).toEqual(["Other…", "Skip"]);
    discord.press(discord.ada, asked, "Other…");
    const modal = await discord.waitFor(() => discord.modal(discord.ada));
    discord.submit(discord.ada, modal, "sea green");
    await discord.waitForMessage(dm, (message) => message.text.includes("Painted."));
    expect(model.requests.at(-1)?.lastOutput).toContain('color: "sea green"');
    await discord.waitFor(() => discord.message(asked.id)?.text.includes("sea green · answered by Ada"));

    model.enqueue([ask({ id: "size", header: "Size", question: "which size?", options: four })], [say("Sized.")]);
    discord.say(discord.ada, dm, "size it");
    const list = await discord.waitForMessage(dm, (message) => message.text.includes("which size?"));
    discord.select(discord.ada, list, "blue");
    await discord.waitForMessage(dm, (message) => message.text.includes("Sized."));
    expect(model.requests.at(-1)?.lastOutput).toContain('size: "blue"');
  });
});
