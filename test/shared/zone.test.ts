import { expect, test } from "vitest";
import { readZone } from "../../src/shared/index.ts";

test.each([
  ["Europe/Lisbon", "Europe/Lisbon"],
  [" europe/lisbon ", "Europe/Lisbon"],
  ["Lisbon", "Europe/Lisbon"],
  ["new york", "America/New_York"],
  ["America/New York", "America/New_York"],
  ["lord_howe", "Australia/Lord_Howe"],
  ["UTC", "UTC"],
  ["Asia/Calcutta", "Asia/Calcutta"],
])("%j is read as the zone %s", (text, zone) => {
  expect(readZone(text)).toEqual({ kind: "found", zone });
});

test.each(["", "   ", "Atlantis", "half past nine", "a/b/c", "\u0000", "25:00"])("%j is no zone", (text) => {
  expect(readZone(text).kind).toBe("unknown");
});

test("a typo is met with what is written much like it", () => {
  expect(readZone("Lisbn")).toEqual({ kind: "unknown", near: ["Europe/Lisbon"] });
});
