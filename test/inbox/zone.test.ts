import { expect, test } from "vitest";
import { ada, command, message } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

async function said(argument: string): Promise<string> {
  await office.sink(command(ada, "zone", argument));
  return (await office.texts()).at(-1) ?? "";
}

async function zone(): Promise<string | null> {
  const row = await office.db.selectFrom("people").select("timezone").executeTakeFirstOrThrow();
  return row.timezone;
}

test("/zone says whose clock counts, sets it by a city, and keeps it when given nonsense", async () => {
  expect(await said("")).toContain("I tell times in UTC");
  expect(await said("lisbon")).toMatch(/now Europe\/Lisbon: it is \d\d:\d\d there/u);
  expect(await zone()).toBe("Europe/Lisbon");
  expect(await said("Lisbn")).toContain("Did you mean Europe/Lisbon?");
  expect(await said("half past nine")).toContain("I don't know the time zone half past nine.");
  expect(await zone()).toBe("Europe/Lisbon");
  expect(await said("")).toMatch(/^Your time zone is Europe\/Lisbon: it is \d\d:\d\d there/u);
});

test("what a platform tells of somebody's zone counts until they say it themselves", async () => {
  await office.sink(message({ ...ada, timezone: "Nowhere/At_All" }, "one"));
  expect(await zone()).toBeNull();
  await office.sink(message({ ...ada, timezone: "Europe/Amsterdam" }, "two"));
  expect(await zone()).toBe("Europe/Amsterdam");
  await said("lisbon");
  await office.sink(message({ ...ada, timezone: "Europe/Amsterdam" }, "three"));
  expect(await zone()).toBe("Europe/Lisbon");
});
