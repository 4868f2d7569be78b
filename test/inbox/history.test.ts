import { beforeEach, expect, test } from "vitest";
import type { Author, InboundPlace } from "../../src/chat/index.ts";
import { addTeammate } from "./colleagues.ts";
import { ada, command, dm, group, message, person } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");
const { latest } = lastCard(office);

beforeEach(async () => {
  await office.hire(ben, "member");
  await office.open(group, "members");
});

async function history(argument: string, by: Author = ada, place: InboundPlace = dm(by)): Promise<string> {
  await office.sink(command(by, "history", argument, { place }));
  return (await latest()).text;
}

/** Something said, and answered already: only so much may wait. */
async function say(by: Author, text: string, place: InboundPlace = dm(by)): Promise<void> {
  await office.sink(message(by, text, { place }));
  await office.db.updateTable("deliveries").set({ status: "completed" }).execute();
}

test("/history without words says how it goes", async () => {
  expect(await history("")).toBe("What should I look for? /history invoice, for example.");
});

test("/history says when, who and what, in the reader's zone", async () => {
  await office.db.updateTable("people").set({ timezone: "Asia/Tokyo" }).where("display_name", "=", "Ada").execute();
  await say(ada, "The invoice of Contoso is paid.");
  await office.db
    .updateTable("messages")
    .set({ sent_at: new Date("2026-05-02T20:15:00Z") })
    .execute();
  expect(await history("invoice")).toMatch(
    /^Found once:\n\n- 3 May(?: 2026)?, 05:15 · \*\*Ada\*\*: The invoice of Contoso is paid\.$/u,
  );
});

test("/history says so when there is nothing", async () => {
  await say(ada, "The invoice of Contoso is paid.");
  expect(await history("invoice *Fabrikam*")).toBe("Nothing was said here with “invoice \\*Fabrikam\\*”.");
});

test("/history finds what was said in this place, in its threads too, and nowhere else", async () => {
  await say(ben, "A plan in a thread.", { ...group, thread: "7" });
  await say(ben, "A plan in the channel.", group);
  await say(ben, "A plan of Ben's.");
  const shown = await history("plan", ada, group);
  expect(shown).toContain("Found 2 times:");
  expect(shown.indexOf("in the channel")).toBeLessThan(shown.indexOf("in a thread"));
  expect(shown).not.toContain("Ben's");
  expect(await history("plan")).toContain("Nothing was said here");
});

test("/history shows what was said to several colleagues once", async () => {
  await addTeammate(office);
  await say(ada, "Milo and Penny, make a plan.", group);
  expect(await history("plan", ada, group)).toContain("Found once:");
});

test("/history shows the newest eight, and that there is more", async () => {
  for (let nth = 1; nth <= 10; nth++) await say(ada, `Plan ${nth}.`);
  const shown = await history("plan");
  expect(shown).toContain("The newest 8:");
  expect(shown).toContain("Plan 10.");
  expect(shown).not.toContain("Plan 2.");
  expect(shown).toContain("There is more.");
});

test("/history links to a message where the platform can", async () => {
  const adapter = office.deps.adapters.get("any");
  if (!adapter) throw new Error("no platform");
  Object.assign(adapter, {
    link: ({ channel }: { channel: string }, id: string) => `https://chat.example/${channel}/${id}`,
  });
  await office.sink(message(ada, "The plan.", { messageId: "m1" }));
  expect(await history("plan")).toContain(`](https://chat.example/${dm(ada).channel}/m1)`);
  Object.assign(adapter, { link: undefined });
});

test("F-65 F-66 /history shows texts and names letter by letter, without secrets", async () => {
  const key = `sk-${"a".repeat(30)}`;
  await say(ada, `The **plan**: [us](https://evil.example) with ${key}.`);
  const shown = await history("plan");
  expect(shown).not.toMatch(/\*\*plan\*\*|\]\(https:\/\/evil/u);
  expect(shown).not.toContain(key);
  expect(await history(key)).not.toContain("Found");
});
