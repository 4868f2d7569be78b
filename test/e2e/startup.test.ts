import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import { freePort } from "../support/free-port.ts";
import { type ShipmateProcess, startShipmate } from "../support/shipmate.ts";
import { createWorld } from "../support/world.ts";

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));

async function emptyHome(): Promise<string> {
  await mkdir(scratch, { recursive: true });
  const home = await mkdtemp(`${scratch}start-`);
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

/** Asks a running Shipmate over HTTP. */
async function get(port: number, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
}

const lines = (shipmate: ShipmateProcess) => shipmate.output().trim().split("\n");

describe("starting without what it needs", () => {
  it("without any chat: says what to set, offers the demo, and ends", async () => {
    const shipmate = startShipmate({ home: await emptyHome() });
    expect(await shipmate.exited).toBe(1);
    expect(shipmate.output()).toBe(
      "No chat is connected. Set TELEGRAM_BOT_TOKEN (from @BotFather), DISCORD_BOT_TOKEN, or SLACK_BOT_TOKEN and SLACK_APP_TOKEN, in the environment or in a file named .env, and start again. docs/set-up.md leads through each.\nTo look around first, without any account: npm run demo\n",
    );
  });

  it("with a misspelt setting: names the nearest one", async () => {
    const shipmate = startShipmate({ home: await emptyHome(), env: { SHIPMATE_MODLE: "x" } });
    expect(await shipmate.exited).toBe(1);
    expect(shipmate.output()).toBe("SHIPMATE_MODLE is no setting of Shipmate. Did you mean SHIPMATE_MODEL?\n");
  });

  it("with a taken port: says which, and ends with everything it had started", async () => {
    await using world = await createWorld();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const shipmate = world.launch({ PORT: String(port) });
    expect(await shipmate.exited).toBe(1);
    expect(lines(shipmate).at(-1)).toBe(
      `Port ${port} is in use. Stop what listens there, or set PORT to another number.`,
    );
  });

  it("without its Codex: says how to get it", async () => {
    await using world = await createWorld();
    const root = fileURLToPath(new URL("../..", import.meta.url));
    // Not below this checkout, whose packages Node would find on the way up.
    const checkout = await mkdtemp(join(tmpdir(), "shipmate-checkout-"));
    onTestFinished(() => rm(checkout, { recursive: true, force: true }));
    for (const part of ["src", "adapters", "migrations", "package.json"]) {
      await cp(join(root, part), join(checkout, part), { recursive: true });
    }
    // An installation in which everything is there but Codex.
    await mkdir(join(checkout, "node_modules"));
    for (const name of await readdir(join(root, "node_modules"))) {
      if (name !== "@openai") await symlink(join(root, "node_modules", name), join(checkout, "node_modules", name));
    }
    const shipmate = world.launch({}, checkout);
    expect(await shipmate.exited).toBe(1);
    expect(lines(shipmate).at(-1)).toMatch(/Codex.*npm (install|ci)/);
  });

  it("with a database that does not answer: says so", async () => {
    const port = await freePort();
    await using world = await createWorld();
    const shipmate = world.launch({ DATABASE_URL: `postgres://ada:secretpw@127.0.0.1:${port}/shipmate` });
    expect(await shipmate.exited).toBe(1);
    expect(lines(shipmate).at(-1)).toMatch(/^The database does not answer \(.*\)\. Start it or correct DATABASE_URL/);
    expect(shipmate.output()).not.toContain("secretpw");
  });
});

describe("a token", () => {
  it("that Telegram does not know: a sentence, and /readyz says which role is not ready", async () => {
    await using world = await createWorld();
    const port = await freePort();
    const shipmate = await world.start({ TELEGRAM_BOT_TOKEN: "42:another-token", PORT: String(port) });
    expect(shipmate.output()).toContain("Telegram doesn't know this bot token. Copy it again from @BotFather");
    expect(await get(port, "/healthz")).toEqual({ status: 200, text: "ok" });
    const ready = await get(port, "/readyz");
    expect(ready.status).toBe(503);
    expect(ready.text).toContain("Telegram doesn't know this bot token");
    expect(ready.text).not.toContain("another-token");
    expect(await shipmate.end("SIGTERM")).toBe(0);
  });

  it("that is revoked later: /readyz and /status know, and a new one needs only a restart", async () => {
    await using world = await createWorld();
    const port = await freePort();
    const shipmate = await world.start({ PORT: String(port) });
    await world.claim();
    expect((await get(port, "/readyz")).status).toBe(200);
    world.model.enqueue([say("I am here again.")]);
    world.telegram.faults.unauthorize();
    world.telegram.say(world.telegram.ada, world.telegram.ada, "are you there?");
    await expect.poll(async () => (await get(port, "/readyz")).status, { timeout: 40_000 }).toBe(503);
    expect((await get(port, "/readyz")).text).toContain("Telegram no longer accepts this bot token");
    await shipmate.end("SIGTERM");
    world.telegram.faults.authorize();
    await world.start();
    await world.telegram.waitForMessage(world.telegram.ada, (message) => message.text.includes("I am here again."));
  });
});

describe("two of them", () => {
  it("on one data folder: the second one says who has it, and ends", async () => {
    await using world = await createWorld();
    const env = { DATABASE_URL: "" };
    const first = await world.start(env);
    const second = world.launch(env);
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(
      `Shipmate is already running here (${world.home}, pid ${first.pid}). Stop it first, or set SHIPMATE_HOME to another folder.`,
    );
  });

  it("on one database: the second one waits, and works as soon as the first one has ended", async () => {
    await using world = await createWorld();
    const first = await world.start();
    await world.claim();
    const home = await emptyHome();
    const second = world.launch({ SHIPMATE_HOME: home });
    await second.says(/Another Shipmate process uses this database/);
    expect(await first.end("SIGTERM")).toBe(0);
    await second.says(/Shipmate is ready/);
    world.model.enqueue([say("The second one answers.")]);
    world.telegram.say(world.telegram.ada, world.telegram.ada, "who is there?");
    await world.telegram.waitForMessage(world.telegram.ada, (message) =>
      message.text.includes("The second one answers."),
    );
  });
});

describe("the owner code", () => {
  it("is printed once with the link to the bot, works once, and is not printed again", async () => {
    await using world = await createWorld();
    const first = await world.start({ SHIPMATE_OWNER_CODE: "" });
    const [, code] = /in a direct message: (\S+)\n/.exec(first.output()) ?? [];
    expect(first.output()).toContain("  Telegram: https://t.me/shipmate_bot\n");
    const { telegram } = world;
    const { ada } = telegram;
    telegram.say(ada, ada, `/start ${code}`);
    await telegram.waitForMessage(ada, (message) => message.text.includes("You own this Shipmate, Ada."));
    expect(lines(first)).toHaveLength(3);

    const late = telegram.person("Late");
    telegram.say(late, late, `/start ${code}`);
    await telegram.waitForMessage(late, (message) => message.text.startsWith("That code was used already."));
    await first.end("SIGTERM");
    const second = await world.start({ SHIPMATE_OWNER_CODE: "" });
    expect(second.output()).not.toContain("/start");
    expect(lines(second)).toEqual(["Shipmate is ready: Telegram."]);
  });
});

describe("ending", () => {
  it("by SIGTERM lets a turn finish; a second one ends at once, and the turn is told after the next start", async () => {
    await using world = await createWorld();
    const first = await world.start();
    await world.claim();
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    model.enqueue([waitFor(opened), say("Finished in time.")]);
    telegram.say(ada, ada, "finish this");
    await opened.reached;
    const ended = first.end("SIGTERM");
    await first.says(/Stopping: no new work is taken, what runs may finish\./);
    opened.open();
    expect(await ended).toBe(0);
    expect(lines(first).at(-1)).toBe("Stopped.");
    await telegram.waitForMessage(ada, (message) => message.text.includes("Finished in time."));

    const second = await world.start();
    const never = gate();
    model.enqueue([waitFor(never)]);
    telegram.say(ada, ada, "this takes too long");
    await never.reached;
    const cut = second.end("SIGTERM");
    await second.says(/Stopping/);
    process.kill(second.pid, "SIGTERM");
    expect(await cut).toBe(130);
    await world.start();
    const told = await telegram.waitForMessage(ada, (message) => message.text.startsWith("I restarted in the middle"));
    expect(told.keyboard.flat().map((button) => button.text)).toEqual(["Try again"]);
    never.open();
  });
});

describe("what Telegram may send", () => {
  it("an update with fields and kinds nobody knows is passed over, and the next message is answered", async () => {
    await using world = await createWorld();
    await world.start();
    await world.claim();
    const { telegram, model } = world;
    telegram.deliver({
      message: { message_id: 9_999, date: 1, chat: { id: 7, type: "private" }, hologram: { depth: 3 } },
    });
    telegram.deliver({ message: { something: "else entirely" } });
    model.enqueue([say("Still listening.")]);
    telegram.say(telegram.ada, telegram.ada, "hello?");
    await telegram.waitForMessage(telegram.ada, (message) => message.text.includes("Still listening."));
  });
});
