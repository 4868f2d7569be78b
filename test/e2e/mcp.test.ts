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

function filesWith(folder: string, word: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(word));
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
    expect(filesWith(world.home, "gold")).not.toEqual([]);
    expect(filesWith(world.home, secret)).toEqual([]);
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
