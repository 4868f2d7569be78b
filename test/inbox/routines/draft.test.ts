import { beforeEach, describe, expect, test } from "vitest";
import { issueTokens } from "../../../src/attention/index.ts";
import type { Author } from "../../../src/chat/index.ts";
import { addTeammate } from "../colleagues.ts";
import { ada, command, dm, group, message, person, press, type ShownPost } from "../office.ts";
import { claimed, lastCard, useOffice } from "../scene.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");
const ops = { channel: "C-1", kind: "channel", title: "ops" } as const;

beforeEach(async () => {
  await office.hire(ben, "member");
  await office.open(group, "members");
  await office.open(ops, "members");
});

const { latest, token, labels, pressed, fill } = lastCard(office);

async function make(text: string, by: Author = ada, place = dm(by)): Promise<ShownPost> {
  await office.sink(command(by, "routine", `new ${text}`, { place }));
  return latest();
}

const kept = () =>
  office.db
    .selectFrom("routines")
    .select(["name", "instruction", "timezone", "trigger", "missed_policy", "limit_policy", "created_by"])
    .execute();
const livesIn = (zone: string) => office.db.updateTable("people").set({ timezone: zone }).execute();
const options = async () => (await latest()).selects.flatMap((select) => select.options.map(({ label }) => label));

describe("/routine new", () => {
  test("shows what was understood before anything is made", async () => {
    await livesIn("Europe/Lisbon");
    const { text } = await make("every weekday at 8:30 post the open incidents to #ops");
    expect(text).toMatch(
      /^\*\*Open incidents\*\* → #ops · weekdays 08:30 \(Lisbon\)\nnext: \w{3} \d+.*, \w{3} \d+.*, \w{3} \d+ \w{3,4}\nif missed: run once, late\n\n> Post the open incidents$/u,
    );
    expect(await labels()).toEqual(["Create", "Change", "Cancel"]);
    expect(await kept()).toEqual([]);
  });

  test("takes the time from the end, too, and a place before or after it", async () => {
    expect((await make("post the open incidents to #ops every day at 7:00")).text).toContain(
      "→ #ops · every day 07:00",
    );
    expect((await make("post the open incidents every day at 7:00 to #ops")).text).toContain(
      "→ #ops · every day 07:00",
    );
    expect((await make("post the open incidents every day at 7:00", ada, group)).text).toContain(
      "→ here · every day 07:00",
    );
    expect((await make("tell me the news every day at 7:00 to me", ben, group)).text).toContain(
      "> Tell me the news every",
    );
    expect((await make("tell me the news every day at 7:00 to me", ben)).text).toContain("→ here · every day 07:00");
    expect((await make("tell me the news every day at 7:00 to me", ben, group)).text).toContain("→ Ben (in private) ·");
  });

  test("leaves a place that nobody knows in the text", async () => {
    const { text } = await make("every day at 7:00 send the numbers to #elsewhere");
    expect(text).toContain("→ here · every day 07:00");
    expect(text).toContain("> Send the numbers to #elsewhere");
    // The group and the channel are both called so.
    expect((await make("every day at 7:00 send the numbers to ops")).text).toContain("> Send the numbers to ops");
  });

  test("asks for the time where none is in it", async () => {
    const { text } = await make("post the open incidents");
    expect(text).toContain("no time yet");
    expect(text).toContain("It needs a time. Press When.");
    expect(await labels()).toEqual(["When", "Change", "Cancel"]);
    await fill("When", "weekdays 8:30");
    expect((await latest()).text).toContain("weekdays 08:30");
    expect(await labels()).toEqual(["Create", "Change", "Cancel"]);
  });

  test("says what is wrong with a time that will not do, and what works", async () => {
    expect((await make("every minute look at the site")).text).toContain("Leave at least 3 minutes");
    expect(await fill("When", "whenever")).toContain(
      "Try: weekdays 8:30 · every 2 hours · mon, thu 14:00 · 0 8 * * 1-5",
    );
    expect(await fill("When", "every 2 hours")).toBeUndefined();
    expect((await latest()).text).toContain("every 2 hours");
  });

  test("says that it reckons in UTC where it does not know better, and learns it once", async () => {
    expect((await make("every day at 7:00 say hello")).text).toContain(
      "UTC, as I don't know your time zone. Change → Zone",
    );
    await pressed("Change");
    expect(await fill("Zone", "nowhere")).toContain("Try: ");
    await fill("Zone", "lisbon");
    expect((await latest()).text).toContain("(Lisbon)");
    expect((await make("every day at 8:00 say goodbye")).text).toContain("(Lisbon)");
  });

  test("alone asks what should happen and when, in a form or by a reply", async () => {
    await office.sink(command(ada, "routine", "new"));
    expect(await latest()).toMatchObject({
      asksReply: true,
      text: expect.stringContaining("What should happen, and when?"),
    });
    await office.sent("asked");
    const quote = { messageId: "asked", fromUs: true };
    await office.sink(message(ada, "every day at 9:00 water the plants", { quote }));
    expect((await latest()).text).toContain("every day 09:00");
    office.can({ forms: true });
    await office.sink(command(ada, "routine", "new"));
    await fill("Write it…", "every day at 9:00 water the plants");
    expect((await latest()).text).toContain("> Water the plants");
  });

  test("is for members", async () => {
    const guest = person("gus", "Gus");
    await office.hire(guest, "guest");
    expect((await make("every day at 9:00 x", guest)).text).toBe("Routines are for members of the team.");
  });
});

describe("Create", () => {
  test("makes it, once, and says in a line what is next", async () => {
    await livesIn("Europe/Lisbon");
    await make("every weekday at 8:30 post the open incidents to #ops", ben);
    const create = await token("Create");
    await pressed("Create", ben, { place: dm(ben) });
    expect((await latest()).text).toMatch(/^✓ Created: \*\*Open incidents\*\* · next: .+ 08:30$/u);
    expect(await labels()).toEqual(["Run a test", "Pause"]);
    await office.sink(press(ben, create, { place: dm(ben) }));
    expect(await kept()).toMatchObject([
      { name: "Open incidents", instruction: "Post the open incidents", timezone: "Europe/Lisbon" },
    ]);
  });

  test("says why not and stays open: the name is taken", async () => {
    await make("every day at 7:00 post the open incidents");
    await pressed("Create");
    await make("every day at 8:00 post something");
    await pressed("Change");
    expect(await fill("Name", "open INCIDENTS")).toContain("There is a routine of that name already.");
    await office.db.updateTable("routines").set({ name: "Something" }).execute();
    await pressed("Back");
    expect(await pressed("Create")).toContain("There is a routine of that name already.");
    expect((await latest()).text).toContain("There is a routine of that name already. Change → Name.");
    expect(await labels()).toEqual(["Create", "Change", "Cancel"]);
    await pressed("Change");
    await fill("Name", "Another");
    await pressed("Back");
    await pressed("Create");
    expect((await kept()).map(({ name }) => name)).toEqual(["Something", "Another"]);
  });

  test("says why not and stays open: there are as many as there may be", async () => {
    await make("every day at 7:00 post the open incidents");
    await pressed("Create");
    const row = await office.db.selectFrom("routines").selectAll().executeTakeFirstOrThrow();
    const { trigger, ...rest } = row;
    const copies = Array.from({ length: 63 }, (_, nth) => ({
      ...rest,
      trigger: JSON.stringify(trigger),
      id: crypto.randomUUID(),
      name: `Copy ${nth}`,
      creation_key: null,
    }));
    await office.db.insertInto("routines").values(copies).execute();
    await make("every day at 8:00 post one too many");
    expect(await pressed("Create")).toContain("There are 64 routines already.");
    expect(await labels()).toContain("Create");
  });

  test("is refused to whoever it is not for", async () => {
    await make("every day at 7:00 post the open incidents", ada, group);
    expect(await pressed("Create", ben, { place: group })).toContain("Only Ada");
    expect(await kept()).toEqual([]);
  });

  test("tells everybody where only one person saw the card", async () => {
    office.can({ privatePosts: true });
    await make("every day at 7:00 post the open incidents", ben, group);
    expect((await latest()).onlyFor).toBeDefined();
    await pressed("Create", ben, { place: group, private: true });
    expect(await latest()).toMatchObject({
      text: "Ben made a routine: **Open incidents** → here · every day 07:00 (UTC)",
      onlyFor: undefined,
    });
  });
});

describe("Change", () => {
  beforeEach(async () => {
    await make("every day at 7:00 post the open incidents");
    await pressed("Change");
  });

  test("offers each part", async () => {
    expect((await latest()).rows.map((row) => row.map(({ label }) => label))).toEqual([
      ["Name", "When", "What"],
      ["Where", "Zone"],
      ["If missed: skip", "At the limit: skip"],
      ["Back"],
    ]);
  });

  test("writes name, time and text anew, in forms that show how they stand", async () => {
    const form = async (label: string) => office.inbox.form(office.connectionId, await token(label), ada.id);
    expect(await form("What")).toMatchObject({ value: "Post the open incidents", long: true });
    expect(await form("When")).toMatchObject({ value: "every day 07:00" });
    await fill("Name", "Incidents");
    await fill("What", "Count the open incidents");
    await fill("When", "mon, thu 14:00");
    const { text } = await latest();
    expect(text).toContain("**Incidents** → here · Mon and Thu 14:00");
    expect(text).toContain("> Count the open incidents");
  });

  test("keeps what happens after a miss and at the limit", async () => {
    await pressed("If missed: skip");
    await pressed("At the limit: skip");
    expect((await latest()).text).toContain("if missed: skip\nat the plan's limit: skip");
    await pressed("Back");
    await pressed("Create");
    expect(await kept()).toMatchObject([{ missed_policy: "skip", limit_policy: "skip" }]);
  });

  test("takes several places, one after another, and lets them go again", async () => {
    await pressed("Where");
    expect((await latest()).text).toContain("Nothing chosen: they come here.");
    expect(await options()).toEqual(["here", "Ops", "#ops"]);
    await pressed("#ops");
    await pressed("Ops");
    expect((await latest()).text).toContain("- #ops\n- Ops");
    expect(await options()).toEqual(["here"]);
    await pressed("Own thread in #ops");
    expect((await latest()).text).toContain("- #ops (a thread of its own)\n- Ops");
    // A group has no threads.
    expect(await labels()).toEqual(["✕ #ops", "No thread in #ops", "✕ Ops", "Done"]);
    await pressed("✕ Ops");
    await pressed("Done");
    expect((await latest()).text).toContain("→ #ops (a thread of its own) ·");
    await pressed("Back");
    await pressed("Create");
    const rows = await office.db.selectFrom("routine_destinations").select(["thread", "own_thread"]).execute();
    expect(rows).toEqual([{ thread: "", own_thread: true }]);
  });

  test("offers no place that is closed to whoever asks", async () => {
    await office.open(ops, "owner");
    await make("every day at 7:00 post the open incidents", ben);
    await pressed("Change", ben, { place: dm(ben) });
    await pressed("Where", ben, { place: dm(ben) });
    expect(await options()).toEqual(["here", "Ops"]);
  });

  test("lets another colleague do it", async () => {
    await addTeammate(office);
    await pressed("Back");
    await pressed("Change");
    await pressed("Penny");
    expect((await latest()).text).toContain("Penny does it");
    await pressed("Back");
    await pressed("Create");
    await office.sink(command(ada, "routine", "Open incidents"));
    expect((await latest()).text).toContain("Penny, for Ada");
  });

  test("sends the whole text where the card shows the beginning", async () => {
    await fill("What", `Look at this: ${"one more line ".repeat(60)}and the end`);
    expect((await latest()).text).not.toContain("and the end");
    await pressed("Whole text");
    expect((await office.posts()).some(({ op }) => op === "upload")).toBe(true);
  });
});

test("a colleague who is named at the beginning does it", async () => {
  await addTeammate(office);
  expect((await make("Penny: every day at 7:00 check the invoices")).text).toContain("Penny does it");
  expect((await make("every day at 7:00 check the invoices")).text).toContain("Milo does it");
});

test("a card that was dropped is over", async () => {
  await make("every day at 7:00 post the open incidents");
  const before = await latest();
  await pressed("Cancel");
  expect((await latest()).text).toBe("No routine, then.");
  const create = before.buttons.find(({ label }) => label === "Create")?.token ?? "";
  await office.sink(press(ada, create));
  expect(await kept()).toEqual([]);
});

test("a card that was drawn before another took its place says that it is over", async () => {
  await make("every day at 7:00 post the open incidents");
  await office.db.updateTable("routine_drafts").set({ status: "cancelled" }).execute();
  expect(await pressed("Create")).toBe("That card is over. /routines shows what there is.");
  expect((await latest()).buttons).toEqual([]);
  expect(await kept()).toEqual([]);
});

test("what is written for a card that became a routine meanwhile changes nothing any more", async () => {
  await make("every day at 7:00 post the open incidents");
  await pressed("Change");
  await pressed("Name");
  await office.sent("asked");
  const { id: draftId } = await office.db.selectFrom("routine_drafts").select("id").executeTakeFirstOrThrow();
  // From a copy of the card.
  const { save } = await office.unit((unit) =>
    issueTokens(unit, { choices: [{ key: "save", action: "routine_draft_save", payload: { draftId } }] }),
  );
  await office.sink(press(ada, save));
  await office.sink(message(ada, "Another name", { quote: { messageId: "asked", fromUs: true } }));
  expect((await kept()).map((each) => each.name)).toEqual(["Open incidents"]);
  expect((await latest()).text).toContain("That card is over.");
});
