import { beforeEach, describe, expect, test, vi } from "vitest";
import { issueTokens } from "../../../src/attention/index.ts";
import type { Author } from "../../../src/chat/index.ts";
import { newId } from "../../../src/shared/index.ts";
import { addTeammate } from "../colleagues.ts";
import { ada, command, dm, group, person, press, type ShownPost } from "../office.ts";
import { claimed, lastCard, useOffice } from "../scene.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");

beforeEach(async () => {
  await office.hire(ben, "member");
  await office.open(group, "members");
  await office.db.updateTable("people").set({ timezone: "Europe/Lisbon" }).execute();
});

const { latest, token, labels, pressed } = lastCard(office);

async function made(text: string, by: Author = ada, place = dm(by)): Promise<void> {
  await office.sink(command(by, "routine", `new ${text}`, { place }));
  await pressed("Create", by, { place });
}

async function list(by: Author = ada, place = dm(by)): Promise<ShownPost> {
  await office.sink(command(by, "routines", "", { place }));
  return latest();
}

const routine = async (name: string) =>
  office.db.selectFrom("routines").selectAll().where("name", "=", name).executeTakeFirstOrThrow();

interface How {
  readonly quiet?: boolean;
  readonly failure?: string;
  readonly skipped_because?: "missed";
  readonly missed?: number;
}

/** As if it had been due a moment ago, and run (or been skipped) so. */
async function ran(name: string, how: How, status = "completed"): Promise<void> {
  const { id } = await routine(name);
  const run = { id: newId(), routine_id: id, source: "schedule", trigger_revision: 1 } as const;
  const delivery_id = how.skipped_because === undefined ? await workedOn(name, status) : null;
  const scheduled_for = new Date(Date.now() - 1000);
  await office.db
    .insertInto("routine_runs")
    .values({ ...run, ...how, scheduled_for, delivery_id })
    .execute();
}

/** A delivery in the routine's lane, in whatever state. */
async function workedOn(name: string, status: string): Promise<string> {
  const { db } = office;
  const { id, teammate_id, place_id, created_by } = await routine(name);
  const lane = await db.selectFrom("conversations").select("id").where("routine_id", "=", id).executeTakeFirstOrThrow();
  const work = { teammate_id, conversation_id: lane.id, requester_person_id: created_by, trigger: "routine" };
  const message = {
    id: newId(),
    conversation_id: lane.id,
    place_id,
    author: "system",
    author_name: "Shipmate",
  } as const;
  await db
    .insertInto("messages")
    .values({ ...message, text: name, sent_at: new Date() })
    .execute();
  const runId = status === "queued" ? null : newId();
  if (runId !== null) {
    await db
      .insertInto("runs")
      .values({ ...work, id: runId, computer: "c", status: status as "completed" })
      .execute();
  }
  const deliveryId = newId();
  const delivered = (status === "waiting" ? "running" : status) as "completed";
  await db
    .insertInto("deliveries")
    .values({
      ...work,
      id: deliveryId,
      message_id: message.id,
      idempotency_key: deliveryId,
      status: delivered,
      run_id: runId,
    })
    .execute();
  return deliveryId;
}

describe("/routines", () => {
  test("says what it is for where there are none, and how to begin", async () => {
    const { text } = await list();
    expect(text).toContain("A routine is work that happens by itself");
    expect(text).toContain("/routine new every weekday at 9");
  });

  test("shows each with when it is due next, and how it went last", async () => {
    await made("every weekday at 8:30 post the open incidents");
    await made("every day at 7:00 check the backups");
    await ran("Backups", { failure: "the server did not answer" });
    const { text } = await list();
    expect(text).toMatch(
      /^\*\*Routines\*\*\n\n1\. \*\*Backups\*\* · every day 07:00\n {3}next: (today|tomorrow) 07:00 · ⚠ failed, (today|yesterday) \d\d:\d\d: the server did not answer\n2\. \*\*Open incidents\*\* · weekdays 08:30\n {3}next: .+ 08:30$/u,
    );
    expect(await labels()).toEqual(["1", "2"]);
  });

  test.each([
    ["completed", {}, "✓ "],
    ["completed", { quiet: true }, "🔕 "],
    ["running", {}, "▸ running"],
    ["waiting", {}, "✋ waiting for you"],
    ["queued", {}, "in line"],
    ["interrupted", {}, "⚠ cut off"],
    ["failed", {}, "⚠ failed"],
    ["completed", { skipped_because: "missed" }, "↷ skipped"],
  ] as const)("says how the last run went: %s %o", async (status, how, words) => {
    await made("every day at 7:00 check the backups");
    await ran("Backups", how, status);
    expect((await list()).text).toContain(` · ${words}`);
  });

  test("shows a member their own and those of the place, and managers all", async () => {
    await made("every day at 7:00 check the backups", ada);
    await made("every day at 8:00 count the visitors", ben);
    await made("every day at 9:00 say hello", ada, group);
    expect((await list(ben)).text).toMatch(/visitors/u);
    expect((await latest()).text).not.toMatch(/Backups|hello/u);
    expect((await list(ada)).text).toMatch(/Backups[\s\S]*visitors[\s\S]*hello/iu);
    for (const by of [ada, ben]) {
      expect((await list(by, group)).text).toMatch(/hello/iu);
      expect((await latest()).text).not.toMatch(/Backups|visitors/u);
    }
  });

  test("parts them by who does them", async () => {
    await addTeammate(office);
    await made("every day at 7:00 check the backups");
    await made("Penny: every day at 8:00 check the invoices");
    expect((await list()).text).toMatch(
      /\*\*Milo\*\*\n\n1\. \*\*Backups\*\*[^\n]*\n[^\n]*\n\n\*\*Penny\*\*\n\n2\. \*\*Invoices\*\*/u,
    );
  });

  test("goes on to another page where a phone would have to scroll", async () => {
    for (let nth = 1; nth <= 10; nth += 1) await made(`every day at 7:00 step ${String(nth).padStart(2, "0")}`);
    await list();
    expect(await labels()).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "More"]);
    await pressed("More");
    expect((await latest()).text).toContain("10. **Step 10**");
    expect(await labels()).toEqual(["9", "10", "Back"]);
    await pressed("Back");
    expect(await labels()).toContain("More");
  });
});

describe("one routine", () => {
  beforeEach(() => made("every weekday at 8:30 post the open incidents", ben, group));
  const open = async (by: Author, place = group) => {
    await list(by, place);
    await pressed("1", by, { place });
    return latest();
  };

  test("is shown with what its author can do", async () => {
    const { text } = await open(ben);
    expect(text).toMatch(
      /^\*\*Open incidents\*\* → here · weekdays 08:30 \(Lisbon\)\nnext: .+ 08:30\nif missed: run once, late\nMilo, for Ben\n\n> Post the open incidents$/u,
    );
    expect((await latest()).rows.map((row) => row.map(({ label }) => label))).toEqual([
      ["Run now", "Test"],
      ["Pause", "Edit", "Log"],
      ["Delete…"],
      ["All routines"],
    ]);
  });

  test("is only shown to whoever may not change it", async () => {
    const cleo = person("cleo", "Cleo");
    await office.hire(cleo, "member");
    await open(cleo);
    expect(await labels()).toEqual(["Log", "All routines"]);
  });

  test.each(["routine_edit", "routine_whole", "routine_delete_ask", "routine_stop", "routine_delete"])(
    "is nobody else's to change, whatever button they got hold of: %s",
    async (action) => {
      const cleo = person("cleo", "Cleo");
      await office.hire(cleo, "member");
      const { id } = await routine("Open incidents");
      const choices = [{ key: "token", action, payload: { routineId: id } }] as const;
      const { token: forged } = await office.unit((unit) => issueTokens(unit, { choices }));
      await office.sink(press(cleo, forged, { place: group }));
      await vi.waitFor(() => expect(office.answers.at(-1)?.text).toContain("Only the one whose routine it is"));
      expect(await labels()).toEqual(["Log", "All routines"]);
      expect((await routine("Open incidents")).deleted_at).toBeNull();
    },
  );

  test("is run now, once for each press", async () => {
    await open(ben);
    const run = await token("Run now");
    expect(await pressed("Run now", ben, { place: group })).toBe("Started.");
    expect((await latest()).text).toContain("last: in line");
    await office.sink(press(ben, run, { place: group }));
    expect(await office.deliveries()).toHaveLength(1);
  });

  test("is paused and goes on", async () => {
    await open(ben);
    expect(await pressed("Pause", ben, { place: group })).toBe("Paused.");
    expect((await latest()).text).toContain("⏸ paused");
    expect((await list(ben, group)).text).toContain("⏸ paused");
    await pressed("1", ben, { place: group });
    expect(await pressed("Resume", ben, { place: group })).toBe("It goes on.");
    expect((await latest()).text).toContain("next: ");
  });

  test("offers to stop what runs, and nothing else to run", async () => {
    await ran("Open incidents", {}, "running");
    await open(ben);
    expect(await labels()).toEqual(["Stop", "Pause", "Edit", "Log", "Delete…", "All routines"]);
    expect(await pressed("Stop", ada, { place: group })).toContain("Only Ben");
    expect(await pressed("Stop", ben, { place: group })).toBe("Stopping.");
    expect(await office.stops()).toMatchObject([{ by: "Ben" }]);
  });

  test("is deleted after a second look", async () => {
    await open(ben);
    await pressed("Delete…", ben, { place: group });
    expect((await latest()).text).toContain("Delete **Open incidents**?");
    expect(await labels()).toEqual(["Delete", "Keep"]);
    await pressed("Keep", ben, { place: group });
    await pressed("Delete…", ben, { place: group });
    await pressed("Delete", ben, { place: group });
    expect((await latest()).text).toBe("Deleted: **Open incidents**.");
    await pressed("All routines", ben, { place: group });
    expect((await latest()).text).toContain("No routines here yet.");
  });

  test("is changed on a card, and stays as it was where that is dropped", async () => {
    await open(ben);
    await pressed("Edit", ben, { place: group });
    await pressed("If missed: skip", ben, { place: group });
    await pressed("Back", ben, { place: group });
    expect(await labels()).toEqual(["Save", "Change", "Cancel"]);
    expect(await pressed("Cancel", ben, { place: group })).toBe("It stays as it was.");
    expect((await latest()).text).toContain("if missed: run once, late");
    await pressed("Edit", ben, { place: group });
    await pressed("If missed: skip", ben, { place: group });
    await pressed("Back", ben, { place: group });
    await pressed("Save", ben, { place: group });
    expect((await latest()).text).toMatch(/^✓ Saved: \*\*Open incidents\*\*/u);
    expect((await routine("Open incidents")).missed_policy).toBe("skip");
  });

  test("may not be changed any more by an author who became a guest, whatever card they hold", async () => {
    await open(ben);
    const pause = await token("Pause");
    await office.db.updateTable("people").set({ role: "guest" }).where("display_name", "=", "Ben").execute();
    await office.sink(press(ben, pause, { place: group }));
    expect((await routine("Open incidents")).active).toBe(true);
    expect((await latest()).text).toContain("gone");
  });

  test("that is gone says so", async () => {
    await open(ben);
    await office.db.updateTable("routines").set({ deleted_at: new Date() }).execute();
    expect(await pressed("Run now", ben, { place: group })).toBe(
      "That routine is gone. /routines shows those there are.",
    );
    expect(await labels()).toEqual(["All routines"]);
  });

  test("tells how it went the last times", async () => {
    await open(ben);
    await pressed("Log", ben, { place: group });
    expect((await latest()).text).toContain("It has not run yet.");
    await ran("Open incidents", { missed: 2, quiet: true });
    await pressed("Back", ben, { place: group });
    await pressed("Log", ben, { place: group });
    expect((await latest()).text).toMatch(/- 🔕 \S+ \d\d:\d\d, no news · stands for 2 missed$/u);
  });
});

describe("/routine NAME", () => {
  beforeEach(() => made("every weekday at 8:30 post the open incidents"));

  test("shows that routine, and alone how to name one", async () => {
    await office.sink(command(ada, "routine", "open incidents"));
    expect((await latest()).text).toContain("**Open incidents** → here");
    await office.sink(command(ada, "routine"));
    expect((await latest()).text).toContain("Which one? /routine Open incidents, for example.");
    await office.sink(command(ada, "routine", "nonsense"));
    expect((await latest()).text).toContain("There is no routine called nonsense here.");
  });

  test("does with it what is said before the name", async () => {
    await office.sink(command(ada, "routine", "pause Open incidents"));
    expect((await latest()).text).toBe("Paused.");
    expect((await routine("Open incidents")).active).toBe(false);
    await office.sink(command(ada, "routine", "resume Open incidents"));
    expect((await routine("Open incidents")).active).toBe(true);
    await office.sink(command(ada, "routine", "run Open incidents"));
    expect(await office.deliveries()).toHaveLength(1);
    await office.sink(command(ada, "routine", "delete Open incidents"));
    expect(await labels()).toEqual(["Delete", "Keep"]);
  });

  test("of somebody else is nobody's to pause", async () => {
    await made("every day at 9:00 say hello", ada, group);
    await office.sink(command(ben, "routine", "pause Say hello", { place: group }));
    expect((await latest()).text).toContain("Only the one whose routine it is, or a manager, can do that.");
    expect((await routine("Say hello")).active).toBe(true);
  });
});

test("a name is completed as somebody types", async () => {
  await made("every weekday at 8:30 post the open incidents");
  const { inbox, connectionId } = office;
  expect(await inbox.complete(connectionId, "routine", "inc", ada.id)).toEqual(["Open incidents"]);
  expect(await inbox.complete(connectionId, "routine", "ne", ben.id)).toEqual(["new"]);
});

describe("where a card is one person's alone", () => {
  beforeEach(async () => {
    office.can({ privatePosts: true });
    await office.sink(command(ben, "routine", "new every day at 7:00 check the backups", { place: group }));
    await pressed("Create", ben, { place: group, private: true });
    await list(ben, group);
    await pressed("1", ben, { place: group, private: true });
  });

  test("the others hear that a routine was paused, goes on, and was deleted", async () => {
    await pressed("Pause", ben, { place: group, private: true });
    expect(await toAll()).toBe("⏸ Ben paused the routine **Backups**.");
    await pressed("Resume", ben, { place: group, private: true });
    expect(await toAll()).toBe("▶ Ben let the routine **Backups** go on.");
    await pressed("Delete…", ben, { place: group, private: true });
    await pressed("Delete", ben, { place: group, private: true });
    expect(await toAll()).toBe("Ben deleted the routine **Backups**.");
  });

  const toAll = async () => (await office.posts()).filter(({ op, onlyFor }) => op === "post" && !onlyFor).at(-1)?.text;
});

describe("Run again, on a notice that a run failed", () => {
  /** As the notice carries it. */
  async function notice(): Promise<string> {
    await made("every day at 7:00 check the backups", ben);
    const { id } = await routine("Backups");
    const choice = { key: "token", action: "routine_run", payload: { routineId: id, said: "It failed." } } as const;
    const { token: again } = await office.unit((unit) => issueTokens(unit, { choices: [choice], minRole: "member" }));
    return again;
  }

  test("runs it, and takes the button away", async () => {
    const again = await notice();
    await office.sink(press(ben, again));
    expect(await office.deliveries()).toHaveLength(1);
    expect(await latest()).toMatchObject({ op: "edit", text: "It failed.", buttons: [] });
    await office.sink(press(ben, again));
    expect(await office.deliveries()).toHaveLength(1);
  });

  test("is not for other members", async () => {
    const cleo = person("cleo", "Cleo");
    await office.hire(cleo, "member");
    await office.sink(press(cleo, await notice()));
    expect(await office.deliveries()).toHaveLength(0);
  });
});
