import { expect, test } from "vitest";
import { authorship } from "../../adapters/slack/persona.ts";

test.each([
  ["🦊", ":fox_face:"],
  ["⚓", ":anchor:"],
  ["⚓\uFE0F", ":anchor:"],
  ["❤\uFE0F", ":heart:"],
  ["❤", ":heart:"],
  ["🇵🇹", ":flag-pt:"],
  [":ship:", ":ship:"],
])("the picture %s is an emoji that Slack knows by name", (picture, name) => {
  expect(authorship({ name: "Penny", picture })).toEqual({ username: "Penny", icon_emoji: name });
});

test("an address is a picture, and what Slack would not know is none", () => {
  expect(authorship({ name: "Penny", picture: "https://a.example/penny.png" })).toEqual({
    username: "Penny",
    icon_url: "https://a.example/penny.png",
  });
  expect(authorship({ name: "Penny", picture: "☃︎?" })).toEqual({ username: "Penny" });
  expect(authorship({ name: "<!channel>" })).toEqual({ username: "!channel" });
});
