import { expect, test } from "vitest";
import { addressedIn, mayAddress, mentionedIn, splitName } from "../../src/inbox/naming.ts";

const milo = { id: "milo", handle: "milo", name: "Milo" };
const penny = { id: "penny", handle: "penny", name: "Penny" };
const team = [milo, penny];

test.each([
  ["Milo, look", "milo"],
  ["milo: look", "milo"],
  ["PENNY,\nlook", "penny"],
  ["  Penny: look", "penny"],
  ["Milo and Penny, look", "milo penny"],
  ["Milo & Penny: look", "milo penny"],
  ["Milo, Penny: look", "milo penny"],
  ["Milo, Penny, look", "milo penny"],
  ["Milo, and Penny: look", "milo penny"],
  ["@Milo and Penny, look", "milo penny"],
  ["@Milo @Penny look", "milo penny"],
  ["@milo look", "milo"],
  ["what does @Penny think?", "penny"],
  ["ask (@Penny) or @Milo!", "penny milo"],
  ["@Milo's list, please", "milo"],
  ["look at this, @Penny.", "penny"],
  ["Milo, what did @Milo say?", "milo"],
  ["Milo: Penny, Ben and I are late", "milo"],
])("%j addresses %s", (text, expected) => {
  expect(addressedIn(text, team).join(" ")).toBe(expected);
  expect(mayAddress(text)).toBe(true);
});

test.each([
  "Thanks, that helped",
  "Milo helped me",
  "Milo and Penny had lunch",
  "I asked Milo, Penny and Ben",
  "Milo:look",
  "Milosz, look",
  "@Milosz look",
  "@milo-next look",
  "write to ada@milo or penny@example.com",
  "write to ada@milo.example",
  "see https://example.com/@milo",
  "see @milo.example and @milo@example.com",
  "run `@Milo` for me",
  "```\n@Milo\n```",
  "```\n@Milo",
  "",
])("%j addresses nobody", (text) => {
  expect(addressedIn(text, team)).toEqual([]);
});

test("a name before an enumeration that goes on with somebody else counts alone", () => {
  expect(addressedIn("Milo, Penny and I had lunch", team)).toEqual(["milo"]);
});

test("a name may have several words, and the longest one counts", () => {
  const other = { id: "other", handle: "penny-two", name: "Penny Two" };
  expect(addressedIn("penny  two, look", [...team, other])).toEqual(["other"]);
  expect(addressedIn("is it you, @Penny Two?", [...team, other])).toEqual(["other"]);
  expect(addressedIn("@penny-two look", [...team, other])).toEqual(["other"]);
  expect(addressedIn("Penny, two, look", [...team, other])).toEqual(["penny"]);
});

test("what a name may contain is no pattern", () => {
  const odd = { id: "odd", handle: "odd", name: "P. (2)" };
  expect(addressedIn("P. (2), look", [odd])).toEqual(["odd"]);
  expect(addressedIn("Px (2), look", [odd])).toEqual([]);
});

test("at most 32 are addressed at once", () => {
  const many = Array.from({ length: 40 }, (_, n) => ({ id: `${n}`, handle: `m${n}`, name: `M${n}` }));
  expect(addressedIn(many.map(({ name }) => `@${name}`).join(" "), many)).toHaveLength(32);
});

test("nobody is mentioned where nobody works", () => {
  expect(mentionedIn("@Milo", [])).toEqual([]);
  expect(addressedIn("Milo, look", [])).toEqual([]);
});

test.each([
  ["penny what is\nopen?", { id: "penny", name: "penny", rest: "what is\nopen?" }],
  ["@Penny: go", { id: "penny", name: "Penny", rest: "go" }],
  ["penny", { id: "penny", name: "penny", rest: "" }],
  ["nobody do it", { name: "nobody", rest: "do it" }],
  ["", { name: "", rest: "" }],
])("the first words of %j tell who is asked", (text, expected) => {
  expect(splitName(text, team)).toEqual(expected);
});

test("a long text is looked at in no time", () => {
  const text = `Milo and ${"and Milo @".repeat(10_000)}`;
  const before = performance.now();
  addressedIn(text, team);
  mayAddress("a ".repeat(50_000));
  expect(performance.now() - before).toBeLessThan(1_000);
});
