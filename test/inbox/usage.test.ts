import { readFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { addTeammate } from "./colleagues.ts";
import { ada, command, dm, group, person } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const { latest, labels, pressed } = lastCard(office);
const ben = person("ben", "Ben");
beforeEach(async () => {
  await office.db.deleteFrom("accounts").execute();
});

interface Used {
  readonly by?: string;
  readonly teammate?: string;
  readonly payer?: "plan" | "api_key";
  readonly input?: number;
  readonly output?: number;
  readonly daysAgo?: number;
}

async function use({ by = "Ada", teammate = "Milo", payer = "plan", input = 12_000, output = 400, daysAgo = 0 }: Used) {
  const idOf = async (table: "people" | "teammates", column: "display_name" | "name", name: string) =>
    (
      await office.db
        .selectFrom(table)
        .select("id")
        .where(column as never, "=", name as never)
        .executeTakeFirst()
    )?.id;
  await office.db
    .insertInto("usage_ledger")
    .values({
      id: newId(),
      teammate_id: (await idOf("teammates", "name", teammate)) ?? null,
      person_id: (await idOf("people", "display_name", by)) ?? null,
      auth_mode: payer,
      input_tokens: input,
      cached_input_tokens: input / 2,
      output_tokens: output,
      reasoning_tokens: 0,
      created_at: new Date(office.clock.now().getTime() - daysAgo * 86_400_000),
    })
    .execute();
}

async function usage(by = ada, argument = "", more: Parameters<typeof command>[3] = {}): Promise<string> {
  await office.sink(command(by, "usage", argument, more));
  return (await latest()).text;
}

/** What Codex last said of the plan. */
const windows = (primary: object | null, secondary: object | null = null) =>
  office.db
    .insertInto("accounts")
    .values({ kind: "plan", state: "ready", rate_limits: JSON.stringify({ primary, secondary }) })
    .onConflict((conflict) =>
      conflict.column("kind").doUpdateSet({ rate_limits: JSON.stringify({ primary, secondary }) }),
    )
    .execute();

test("the owner sees what everybody used today, plan and key apart", async () => {
  await addTeammate(office);
  await office.hire(ben, "member");
  await use({});
  await use({ by: "Ben", teammate: "Penny", payer: "api_key", input: 1_000_000, output: 90_000 });
  await use({ daysAgo: 2, input: 5_000_000 });
  expect(await usage()).toBe(
    [
      "**Usage · today**",
      "Plan: **12.4k** tokens, 1 task",
      "API key: **1.1M** tokens, 1 task",
      "1M read (50 % of it from the cache), 90.4k written",
      "**Teammates**",
      "- Penny · 1.1M key\n- Milo · 12.4k",
      "**People**",
      "- Ben · 1.1M key\n- Ada · 12.4k",
    ].join("\n\n"),
  );
});

test("members see what they used themselves, and nothing of others or of the plan", async () => {
  await office.hire(ben, "manager");
  await windows({ usedPercent: 62, windowMinutes: 300, resetsAt: null });
  await use({});
  await use({ by: "Ben", input: 700, output: 12 });
  expect(await usage(ben)).toBe(
    [
      "**Your usage · today**",
      "Plan: **712** tokens, 1 task",
      "700 read (50 % of it from the cache), 12 written",
      "**Teammates**",
      "- Milo · 712",
    ].join("\n\n"),
  );
});

test("nobody reads along", async () => {
  await office.open(group, "members");
  await use({});
  const said = await usage(ada, "", { place: group });
  expect(said).not.toContain("12.4k");
  office.can({ privatePosts: true });
  await usage(ada, "", { place: group });
  expect(await latest()).toMatchObject({ text: expect.stringContaining("12.4k"), onlyFor: { userId: ada.id } });
  // A file would be seen by all.
  expect(await labels()).toEqual(["✓ Today", "Week", "Month"]);
});

test("where nothing was used, that is said", async () => {
  expect(await usage(ada, "week")).toBe("**Usage · last 7 days**\n\nNothing was used in the last 7 days.");
  expect(await labels()).toEqual(["Today", "✓ Week", "Month"]);
  await office.hire(ben, "member");
  expect(await usage(ben)).toContain("You asked for nothing today that used a model.");
  expect(await usage(ada, "decade")).toBe("I can add up today, week or month: /usage week, for example.");
});

test("a button shows another time in the same message, again and again", async () => {
  await use({ daysAgo: 3, input: 3_000_000 });
  await use({ daysAgo: 20, input: 20_000_000 });
  await usage();
  await pressed("Month");
  expect(await latest()).toMatchObject({ op: "edit", target: "card", text: expect.stringContaining("**23M** tokens") });
  await pressed("Week");
  expect(await latest()).toMatchObject({ op: "edit", target: "card", text: expect.stringContaining("**3M** tokens") });
  expect(await labels()).toEqual(["Today", "✓ Week", "Month", "As a picture"]);
});

test("the plan's limits are bars with the time in the zone of whoever asks", async () => {
  await office.db.updateTable("people").set({ timezone: "Asia/Kathmandu" }).execute();
  const now = office.clock.now();
  const soon = new Date(now.getTime() + 5 * 60_000);
  await windows(
    { usedPercent: 62.4, windowMinutes: 300, resetsAt: soon },
    { usedPercent: 99.6, windowMinutes: 10_080, resetsAt: new Date(now.getTime() + 10 * 86_400_000) },
  );
  const format = (at: Date, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Kathmandu", ...parts }).format(at);
  const text = await usage();
  expect(text).toContain("5 h `▓▓▓▓▓▓░░░░` 62 % used · resets ");
  expect(text).toContain(format(soon, { hour: "2-digit", minute: "2-digit" }));
  expect(text).toContain("Week `▓▓▓▓▓▓▓▓▓░` 99 % used · resets ");
  expect(text).toContain(format(new Date(now.getTime() + 10 * 86_400_000), { day: "numeric", month: "short" }));
  await windows({ usedPercent: 80, windowMinutes: 300, resetsAt: new Date(now.getTime() - 60_000) });
  expect(await usage()).toMatch(/5 h `░{10}` 0 % used$/u);
});

test("a picture of it comes beneath, with words for those who do not see it, and the card stays of use", async () => {
  await use({ input: 1_200_000 });
  await usage(ada, "month");
  expect(await pressed("As a picture")).toBe("Here it is as a picture.");
  const upload = await office.db.selectFrom("posts").selectAll().where("op", "=", "upload").executeTakeFirstOrThrow();
  const file = upload.body as { path: string; name: string; caption: string };
  expect(file).toMatchObject({
    name: "usage-30-days.png",
    caption: "Usage · last 30 days: 1.2M tokens. Milo 1.2M.",
  });
  expect(upload.channel).toBe(dm(ada).channel);
  expect((await readFile(file.path)).subarray(1, 4).toString()).toBe("PNG");
  expect(await labels()).toEqual(["Today", "Week", "✓ Month", "As a picture"]);
  await pressed("Today");
  expect((await latest()).text).toContain("**Usage · today**");
});

test("many teammates are a list that ends", async () => {
  for (let index = 1; index <= 14; index += 1) {
    await addTeammate(office, `T*${index}`, `t${index}`);
    await use({ teammate: `T*${index}`, input: index * 1_000, output: 0 });
  }
  const text = await usage();
  expect(text).toContain("- T\\*14 · 14k");
  expect(text).toContain("- T\\*4 · 4k\n- 3 others · 6k");
});
