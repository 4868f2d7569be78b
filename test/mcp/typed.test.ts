import { expect, test } from "vitest";
import { nameProblem, readTyped, shownPlace, splitWords } from "../../src/mcp/index.ts";

function read(text: string) {
  const typed = readTyped(text);
  if (typed.kind === "problem") return typed.problem;
  return typed;
}

test.each([
  ["npx -y server", ["npx", "-y", "server"]],
  [`node "my server.js" 'it''s' a\\ b`, ["node", "my server.js", "its", "a b"]],
  ["say “hello there” ''", ["say", "hello there", ""]],
  ["  spaced   out  ", ["spaced", "out"]],
  [`open "quote`, null],
])("words are read as a shell reads them: %s", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test("an address keeps what may be secret in it apart, and is shown without", () => {
  expect(read("https://ada:pass@tools.example/mcp?key=12345678#top")).toEqual({
    kind: "config",
    config: { transport: "http", url: "https://tools.example/mcp", headers: [], bearer: false },
    secrets: { values: {}, url: "https://ada:pass@tools.example/mcp?key=12345678" },
  });
  expect(read("https://tools.example/mcp")).toMatchObject({ secrets: { values: {} } });
});

test("a command runs in the folder that was named", () => {
  expect(read("cd /srv/tools && node server.js --port 1")).toMatchObject({
    config: { transport: "stdio", command: "node", args: ["server.js", "--port", "1"], cwd: "/srv/tools", env: [] },
  });
  expect(read("cd tools && node server.js")).toBe("folder_relative");
});

test("a key is announced by its place, and may be a variable of Shipmate's own", () => {
  expect(read("API_KEY= OTHER=env:MINE server")).toMatchObject({
    config: { env: ["API_KEY", "OTHER"] },
    secrets: { values: { OTHER: "env:MINE" } },
  });
  expect(read("Authorization= X-Team= https://tools.example/mcp")).toMatchObject({
    config: { bearer: true, headers: ["X-Team"] },
  });
});

test.each([
  ["API_KEY=sesame-open server"],
  ["server --token sesame-open"],
  ["server --api-key=sesame-open"],
  ["server sk-abcdefghijklmnop1234"],
  ["server password=sesame-open"],
])("a key is not taken where others could read it: %s", (text) => {
  expect(read(text)).toBe("key_in_clear");
});

test.each([
  ["", "empty"],
  ["API_KEY=", "empty"],
  ["http://", "bad_address"],
  ["MY_KEY_=env:1 server", "key_in_clear"],
  [`${"x".repeat(2000)}`, "too_long"],
])("what makes no server is said: %s", (text, problem) => {
  expect(read(text)).toBe(problem);
});

test.each([
  ["echo", null],
  ["my-echo_2", null],
  ["", "name_letters"],
  ["Echo", "name_letters"],
  ["e".repeat(33), "name_letters"],
  ["mcp__echo", "name_reserved"],
  ["shipmate", "name_reserved"],
])("names are small and nobody else's: %s", (name, problem) => {
  expect(nameProblem(name)).toBe(problem);
});

test("a command line is shown as it could be typed", () => {
  const typed = readTyped(`node "my server.js" --name Ada`);
  if (typed.kind === "problem") throw new Error(typed.problem);
  expect(shownPlace(typed.config)).toBe("node 'my server.js' --name Ada");
});
