import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mcpStdio, startMcpHttp } from "../fakes/mcp/index.ts";
import { call, say } from "../fakes/model/index.ts";
import type { SeenMessage } from "../fakes/telegram/index.ts";
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

const stdio = () => {
  const { command, args } = mcpStdio();
  return [command, ...args].join(" ");
};
const told = (text: string | RegExp): Promise<SeenMessage> =>
  world.telegram.waitForMessage(world.telegram.ada, (message) =>
    typeof text === "string" ? message.text.includes(text) : text.test(message.text),
  );
const ask = (text: string) => world.telegram.say(world.telegram.ada, world.telegram.ada, text);

async function calls(tool: string, text: string, answer: string): Promise<string> {
  const { model, telegram } = world;
  model.enqueue([call(`mcp__${tool}`, "echo", { text })], [say(answer)]);
  ask(`Say ${text}.`);
  telegram.press(telegram.ada, await told(`use the tool echo of ${tool}\n\n• text: ${text}`), "Approve");
  await told(answer);
  return String(model.requests.at(-1)?.lastOutput);
}

/** Those of the words that stand in any file. */
function inFiles(folder: string, words: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => readFileSync(path));
  return words.filter((word) => files.some((file) => file.includes(word)));
}

describe("an MCP server", () => {
  it("is there at the next turn of the same conversation once it was added, and gone after it was removed", async () => {
    const { telegram, model } = world;
    model.enqueue([say("Hello, Ada.")]);
    ask("Hi");
    await told("Hello, Ada.");

    ask(`/mcp echo ${stdio()}`);
    const card = await told(/echo.* ready, 3 tools/su);
    expect(card.text).toContain("Saved. Teammates have it from their next turn on.");
    expect(card.text).toContain(`in ${world.home}/mcp`);
    expect(await calls("echo", "one", "Echoed one.")).toContain("echo: one");
    // It went on in the same conversation.
    expect(JSON.stringify(model.requests.at(-1))).toContain("Hello, Ada.");

    // Whoever acts on its own asks nobody for it, from the next turn on.
    await world.query("update teammates set autonomy = 'autonomous'");
    model.enqueue([call("mcp__echo", "echo", { text: "alone" })], [say("Done alone.")]);
    ask("Say alone.");
    await told("Done alone.");
    expect(model.requests.at(-1)?.lastOutput).toContain("echo: alone");
    expect(JSON.stringify(model.requests.at(-1))).toContain("Hello, Ada.");
    await world.query("update teammates set autonomy = 'ask_consequential'");

    telegram.press(telegram.ada, card, "Remove…");
    telegram.press(telegram.ada, await told("Remove echo?"), "Remove");
    await told("echo is removed");
    model.enqueue([call("mcp__echo", "echo", { text: "two" })], [say("It is gone.")]);
    ask("Say two.");
    await told("It is gone.");
    expect(model.requests.at(-1)?.lastOutput).not.toContain("echo: two");
  });

  it("is not added when it cannot be reached, and the words say why", async () => {
    ask("/mcp nobody http://127.0.0.1:9/mcp");
    await told("nobody was not saved: nothing answers there.");
    ask("/mcp nothing /no/such/program");
    await told("nothing was not saved: there is no such program.");
    ask("/mcp odd://name https://example.com");
    await told("A server needs a name first");
    expect(await world.query("select name from mcp_servers where removed_at is null")).toEqual([]);
  });

  it("gets its key by a page that works once, and the key is in no chat, row, log or file", async () => {
    const secret = "sesame-open-yourself";
    await using locked = await startMcpHttp({ bearer: secret });
    const { telegram } = world;
    ask(`/mcp vault ${locked.url}`);
    const card = await told(/vault.* needs a key/su);
    telegram.press(telegram.ada, card, "Set key…");
    const page = await told("Set the key for vault on this page.");
    const url = page.keyboard.flat().find((button) => button.text === "Set the key")?.url ?? "";
    const filled = await fetch(url, { method: "POST", body: new URLSearchParams({ key: secret }) });
    expect([filled.status, (await filled.text()).includes("The key is stored.")]).toEqual([200, true]);
    await told(/The key is set\..*vault.* ready/su);
    expect(await calls("vault", "gold", "Gold it is.")).toContain("echo: gold");
    expect(locked.calls).toEqual([{ tool: "echo", args: { text: "gold" } }]);

    expect((await fetch(url, { method: "POST", body: new URLSearchParams({ key: secret }) })).status).toBe(404);
    const rows = await world.query(
      `select to_jsonb(s)::text from mcp_servers s union all select to_jsonb(c)::text from mcp_changes c
       union all select to_jsonb(p)::text from posts p union all select to_jsonb(w)::text from web_forms w
       union all select to_jsonb(a)::text from audit_log a union all select to_jsonb(e)::text from run_events e`,
    );
    expect(JSON.stringify(rows)).toContain("vault");
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(shipmate.output()).not.toContain(secret);
    expect(inFiles(world.home, [secret, "gold"])).toEqual(["gold"]);
    expect(JSON.stringify(telegram.chat(telegram.ada).messages)).not.toContain(secret);
  });

  it("loses its key when its address leads elsewhere", async () => {
    await using other = await startMcpHttp();
    ask(`/mcp vault Authorization= ${other.url}`);
    await told(/Its keys were removed.*vault.*Still to be set: its token/su);
    expect(await world.query("select secrets from mcp_servers where name = 'vault' and removed_at is null")).toEqual([
      { secrets: null },
    ]);
  });
});

describe("an MCP server that somebody has to sign in to", () => {
  it("shows where, and is ready when they came back", async () => {
    await using calendar = await startMcpHttp({ signIn: true });
    const { telegram } = world;
    ask(`/mcp calendar ${calendar.url}`);
    const card = await told("calendar wants you to sign in.");
    expect(card.keyboard.flat().map((button) => button.text)).toEqual([
      "Sign in",
      "Continue",
      "Paste address…",
      "All servers",
    ]);
    const url = card.keyboard.flat().find((button) => button.text === "Sign in")?.url ?? "";
    telegram.press(telegram.ada, card, "Continue");
    // Nobody has signed in yet: it is asked for once more.
    const fresh = await telegram.waitFor(() => {
      const now = telegram.chat(telegram.ada).messages.find((each) => each.id === card.id);
      const next = now?.keyboard.flat().find((button) => button.text === "Sign in")?.url;
      return next === url ? undefined : next;
    });
    expect(await (await fetch(fresh)).text()).toContain("Authentication complete");
    await told(/calendar.* ready, 3 tools/su);
    expect(await calls("calendar", "monday", "Monday it is.")).toContain("echo: monday");
    expect(calendar.calls).toEqual([{ tool: "echo", args: { text: "monday" } }]);
  });
});

describe("an MCP server for one teammate", () => {
  it("gives its tools to that one only", async () => {
    const { telegram, model } = world;
    ask("/team add Penny, a bookkeeper who checks invoices");
    telegram.press(telegram.ada, await told("Somebody new:"), "Create");
    await told("Penny joined");
    ask(`/mcp ledger ${stdio()}`);
    telegram.press(telegram.ada, await told(/ledger.* ready, 3 tools/su), "Penny");
    await told(/ledger.* for Penny/su);
    model.enqueue([call("mcp__ledger", "echo", { text: "mine" })], [say("I have no ledger.")]);
    ask("Milo, say mine.");
    await told("I have no ledger.");
    expect(model.requests.at(-1)?.lastOutput).not.toContain("echo: mine");
    model.enqueue([call("mcp__ledger", "echo", { text: "hers" })], [say("It is in the ledger.")]);
    ask("/ask Penny say hers.");
    telegram.press(telegram.ada, await told("use the tool echo of ledger"), "Approve");
    await told("It is in the ledger.");
    expect(model.requests.at(-1)?.lastOutput).toContain("echo: hers");
  });
});

describe("a teammate that is asked for an MCP server", () => {
  const wish = (name: string) => {
    const { command, args } = mcpStdio();
    return call("shipmate", "manage_mcp_server", { action: "add", name, command, args, for: "everyone" });
  };

  it("adds it after the owner approved exactly what will run, and uses it in its next turn", async () => {
    const { telegram, model } = world;
    model.enqueue([wish("helper")], [say("It is there now.")]);
    ask("Add the echo server as helper.");
    const card = await told("Add the MCP server helper");
    expect(card.text).toContain("fakes/mcp/stdio.ts");
    expect(card.text).toContain("outside every sandbox");
    expect(card.text).toContain("for every teammate");
    expect(await world.query("select name from mcp_servers where name = 'helper'")).toEqual([]);
    telegram.press(telegram.ada, card, "Approve");
    await told("It is there now.");
    expect(model.requests.at(-1)?.lastOutput).toContain("helper (everyone's): ready; tools: ask, consent, echo");
    expect(await calls("helper", "three", "Echoed three.")).toContain("echo: three");
  });

  it("adds nothing when that is denied", async () => {
    const { telegram, model } = world;
    model.enqueue([wish("unwanted")], [say("Not added, then.")]);
    ask("Add the echo server as unwanted.");
    telegram.press(telegram.ada, await told("Add the MCP server unwanted"), "Deny");
    await told("Not added, then.");
    expect(model.requests.at(-1)?.lastOutput).toContain("Denied. Nothing was changed.");
    expect(await world.query("select name from mcp_servers where name = 'unwanted'")).toEqual([]);
  });

  it("cannot be let by a member, who cannot use /mcp either", async () => {
    const { telegram, model } = world;
    const ben = await world.hire("Ben");
    telegram.say(ben, ben, "/mcp");
    await telegram.waitForMessage(ben, (message) => message.text.includes("Only the owner and admins"));
    model.enqueue([wish("sneaky")], [say("Waiting is over.")]);
    telegram.say(ben, ben, "Add the echo server as sneaky.");
    const card = await told("Add the MCP server sneaky");
    const own = await telegram.waitForMessage(ben, (message) => message.text.includes("Add the MCP server sneaky"));
    const press = telegram.press(ben, own, "Approve");
    expect(await telegram.waitFor(() => press.answer())).toMatchObject({ text: expect.stringContaining("Only") });
    telegram.press(telegram.ada, card, "Deny");
    await telegram.waitForMessage(ben, (message) => message.text.includes("Waiting is over."));
    expect(await world.query("select name from mcp_servers where name = 'sneaky'")).toEqual([]);
  });
});

describe("a process that ends while a server is being tested", () => {
  it("loses nothing: the next one tests it and answers on the same card", async () => {
    const { telegram } = world;
    // Codex waits for this one, and so does the test.
    ask("/mcp slow sleep 600");
    const card = await told("Connecting to slow…");
    await telegram.waitFor(() => telegram.chat(telegram.ada).messages.some((each) => each.id === card.id));
    await expect
      .poll(() => world.query("select tries from mcp_changes where status = 'waiting'"))
      .toEqual([{ tries: 1 }]);
    await shipmate.end("SIGKILL");
    await world.query(
      "update mcp_changes set created_at = now() - interval '2 minutes', tried_at = now() - interval '2 minutes', proposal = jsonb_set(proposal, '{config,args,0}', '\"0\"') where status = 'waiting'",
    );
    shipmate = await world.start();
    await telegram.waitFor(
      () =>
        telegram
          .chat(telegram.ada)
          .messages.find((each) => each.id === card.id)
          ?.text.includes("slow was not saved: the program ended"),
      40_000,
    );
    expect(await world.query("select count(*)::int as count from mcp_changes where status = 'waiting'")).toEqual([
      { count: 0 },
    ]);
  });
});
