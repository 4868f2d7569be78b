import { describe, expect, test } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { ada, dm, message } from "../inbox/office.ts";
import {
  all,
  ben,
  call,
  type From,
  incidents,
  made,
  make,
  notes,
  office,
  owner,
  placeId,
  places,
  proposals,
  routines,
  text,
} from "./routine-desk.ts";

describe("create_routine", () => {
  test("proposes all of it, and nothing exists until somebody presses", async () => {
    const result = await call("create_routine", { ...incidents, timezone: "Europe/Lisbon", destinations: ["#ops"] });
    expect(result.success).toBe(true);
    expect(text(result)).toMatch(/There is no routine until Create is pressed: don't say it was done/);
    expect(proposals).toEqual([
      {
        callId: expect.any(String),
        draft: {
          kind: "routine",
          ...{ name: incidents.name, instruction: incidents.instruction },
          trigger: { kind: "schedule", schedule: { kind: "weekdays", at: "08:30" } },
          timezone: "Europe/Lisbon",
          destinations: [{ placeId: places.ops, thread: "", ownThread: false }],
          missed: "run_once",
          atLimit: "wait",
        },
      },
    ]);
    expect(await all()).toEqual([]);
    expect(notes).toEqual([]);
  });

  test("takes the person's zone where none is given", async () => {
    await office.db.updateTable("people").set({ timezone: "Asia/Tokyo" }).execute();
    await call("create_routine", incidents);
    expect(proposals[0]?.draft.timezone).toBe("Asia/Tokyo");
  });

  test("makes a check-in, with the policies it is given", async () => {
    await call("create_routine", { ...incidents, check_in: true, if_missed: "skip", at_limit: "skip" });
    expect(proposals[0]?.draft).toMatchObject({ kind: "check_in", missed: "skip", atLimit: "skip" });
  });

  test.each([
    ["daily 08:30", { kind: "daily", at: "08:30" }],
    ["mon, thu 14:00", { kind: "weekly", days: ["mon", "thu"], at: "14:00" }],
    ["monthly on the 31st 08:30", { kind: "monthly", day: 31, at: "08:30" }],
    ["hourly at :15", { kind: "hourly", minute: 15 }],
    ["0 8 * * 1-5", { kind: "cron", expression: "0 8 * * 1-5" }],
    ["2099-12-04T09:00", { kind: "once", at: "2099-12-04T09:00" }],
    [
      "every 2 weeks from 2026-12-04T09:00",
      { kind: "interval", everyMinutes: 20_160, anchor: "2026-12-04T08:00:00.000Z" },
    ],
    [
      "every 2 hours from 2026-12-04T09:00Z",
      { kind: "interval", everyMinutes: 120, anchor: "2026-12-04T09:00:00.000Z" },
    ],
  ])("reads the schedule %s as it tells the model to write it", async (schedule, read) => {
    expect(text(await call("create_routine", { ...incidents, schedule, timezone: "Europe/Paris" }))).toContain("card");
    expect(proposals[0]?.draft.trigger).toEqual({ kind: "schedule", schedule: read });
  });

  test.each([
    ["a cron line that never comes", { schedule: "0 0 31 2 *" }, "never"],
    ["a minute that no hour has", { schedule: "hourly at :61" }, "don't understand the schedule"],
    ["a cron line with such a minute", { schedule: "61 8 * * *" }, "minute"],
    ["times too close to each other", { schedule: "every 2 minutes" }, "at least 3"],
    ["a time that is over", { schedule: "2020-01-01T09:00" }, "is over"],
    ["a schedule without a time", { schedule: "every monday" }, "time of day"],
    ["more than a schedule", { schedule: "weekdays 08:30 tell the news" }, "don't understand the schedule"],
    ["what is no schedule", { schedule: "now and then" }, '"weekdays 08:30"'],
    ["a start that is in no calendar", { schedule: "every 2 weeks from 2026-02-31T09:00" }, "2026-02-31T09:00"],
    ["a start for what is no interval", { schedule: "daily 08:30 from 2026-12-04T09:00" }, "Only an interval"],
    ["an unknown zone", { timezone: "Mars/Olympus" }, "Europe/Lisbon"],
    ["a name that is too long", { name: "n".repeat(81) }, "at most 80"],
    ["no name", { name: " " }, "needs a name"],
    ["an instruction that is too long", { instruction: "x".repeat(100_001) }, "100,000"],
    ["no instruction", { instruction: "" }, "needs an instruction"],
    ["more places than there may be", { destinations: Array.from({ length: 51 }, () => "here") }, "destinations"],
  ])("says what to correct about %s, and shows no card", async (_, wrong, sentence) => {
    const result = await call("create_routine", { ...incidents, ...wrong });
    expect(result.success).toBe(false);
    expect(text(result)).toContain(sentence);
    expect(proposals).toEqual([]);
  });

  test("names the places there are where one is not known, and none that the person may not use", async () => {
    const result = await call("create_routine", { ...incidents, destinations: ["#ops", "#marketing"] });
    expect(result.success).toBe(false);
    expect(text(result)).toContain('no place "#marketing"');
    expect(text(result)).toContain('They may use "here", "Ops", "me".');
    expect(text(result)).not.toContain("Leads");
    expect((await call("create_routine", { ...incidents, destinations: ["#leads"] })).success).toBe(false);
    expect(proposals).toEqual([]);
  });

  test("asks which one is meant where two places have one title, and takes the one beside the person", async () => {
    await office.sink(message(ada, "hello", { place: { channel: "group-3", kind: "group", title: "#ops" } }));
    await office.db.updateTable("places").set({ access: "members" }).where("channel", "=", "group-3").execute();
    const result = await call("create_routine", { ...incidents, destinations: ["ops"] });
    expect(text(result)).toMatch(/no place "ops" .*, or more than one/u);
    const slack = { id: newId(), platform: "slack", bot_id: "elsewhere", name: "Elsewhere", state: "ok" };
    await office.db.insertInto("connections").values(slack).execute();
    await office.db.updateTable("places").set({ connection_id: slack.id }).where("channel", "=", "group-3").execute();
    await call("create_routine", { ...incidents, destinations: ["ops", "#ops (slack)"] });
    expect(proposals[0]?.draft.destinations.map((each) => each.placeId)).toEqual([
      places.ops,
      await placeId("group-3"),
    ]);
    // The bot of a colleague is not this one's to post with.
    await office.db.updateTable("connections").set({ teammate_handle: "penny" }).where("id", "=", slack.id).execute();
    expect(text(await call("create_routine", { ...incidents, destinations: ["#ops (slack)"] }))).toContain("no place");
  });

  test("keeps the private chats of others out of reach", async () => {
    const member = await office.hire(ben, "member");
    await office.sink(message(ben, "hello"));
    const bens = await placeId(dm(ben).channel);
    await call("create_routine", { ...incidents, destinations: ["me"] }, { by: member, placeId: bens });
    await call("create_routine", { ...incidents, destinations: ["me"] });
    expect(proposals.map(({ draft }) => draft.destinations.map((each) => each.placeId))).toEqual([
      [bens],
      [places.ada],
    ]);
  });

  test("goes where the person speaks, into a thread of its own where that is wanted", async () => {
    const there = { placeId: places.ops, isPrivate: false, thread: "t-1" };
    await call("create_routine", { ...incidents, destinations: ["here", "Ops", "me"] }, there);
    await call("create_routine", { ...incidents, in_own_thread: true }, there);
    await call("create_routine", { ...incidents, destinations: ["me"], in_own_thread: true }, there);
    const destinations = proposals.map(({ draft }) => draft.destinations);
    expect(destinations).toEqual([
      [
        { placeId: places.ops, thread: "t-1", ownThread: false },
        { placeId: places.ops, thread: "", ownThread: false },
        { placeId: places.ada, thread: "", ownThread: false },
      ],
      [{ placeId: places.ops, thread: "", ownThread: true }],
      [{ placeId: places.ada, thread: "", ownThread: true }],
    ]);
  });

  test("says so where the name is taken, and where there are 64", async () => {
    await make();
    expect(text(await call("create_routine", { ...incidents, name: "OPEN incidents" }))).toContain("that name already");
    for (let nth = 2; nth <= 64; nth += 1) {
      await call("create_routine", { ...incidents, name: `Nth ${nth}` });
      await made();
    }
    const result = await call("create_routine", { ...incidents, name: "Nth 65" });
    expect(result.success).toBe(false);
    expect(text(result)).toContain("at most 64");
  });

  test("takes out secrets before anything is shown", async () => {
    const secret = `sk-${"a".repeat(30)}`;
    await call("create_routine", { ...incidents, name: `With ${secret}`, instruction: `Use ${secret}.` });
    expect(JSON.stringify(proposals)).not.toContain("sk-");
  });
});

describe("who may", () => {
  const everything = [
    ["create_routine", incidents],
    ["update_routine", { routine: "Open incidents", schedule: "daily 09:00" }],
    ["update_routine", { routine: "Open incidents", active: false }],
    ["list_routines", {}],
    ["delete_routine", { routine: "Open incidents" }],
    ["test_routine", { routine: "Open incidents" }],
    ["create_webhook_routine", { name: "Deploys", instruction: "Tell of it." }],
    ["update_webhook_routine", { routine: "Open incidents", new_secret: true }],
  ] as const;

  test.each(everything)(
    "%s does nothing where nobody asked, in a routine's run, or for a guest",
    async (name, args) => {
      await make();
      proposals.length = 0;
      const guest = await office.hire(ben, "guest");
      for (const from of [{ by: null }, { trigger: "routine" }, { by: guest }] satisfies From[])
        expect((await call(name, args, from)).success).toBe(false);
      expect([...proposals, ...notes]).toEqual([]);
      expect(await all()).toMatchObject([{ active: true }]);
      expect(await routines.runs(office.db, (await all())[0]?.id ?? "", 5)).toEqual([]);
    },
  );

  test("a member changes their own, and a manager those of others", async () => {
    const member = await office.hire(ben, "member");
    await call("create_routine", { ...incidents, destinations: ["#ops"] });
    await made(owner, { placeId: places.ops, thread: "" });
    const inOps = { placeId: places.ops, isPrivate: false };
    for (const [name, args] of [
      ["update_routine", { routine: "Open incidents", schedule: "daily 09:00" }],
      ["update_routine", { routine: "Open incidents", active: false }],
      ["delete_routine", { routine: "Open incidents" }],
      ["test_routine", { routine: "Open incidents" }],
    ] as const) {
      const result = await call(name, args, { by: member, ...inOps });
      expect(result.success).toBe(false);
      expect(text(result)).toContain("managers and above");
    }
    expect(notes).toEqual([]);
    expect(await all()).toHaveLength(1);
    await office.db.updateTable("people").set({ role: "manager" }).where("id", "=", member.id).execute();
    expect(
      (await call("update_routine", { routine: "Open incidents", active: false }, { by: member, ...inOps })).success,
    ).toBe(true);
  });
});

describe("update_routine", () => {
  test("proposes the whole as it would be, and changes nothing by itself", async () => {
    const before = await make({ destinations: ["#ops"], check_in: true });
    const result = await call("update_routine", {
      routine: "open INCIDENTS",
      schedule: "daily 09:00",
      in_own_thread: true,
    });
    expect(text(result)).toContain("Nothing has changed until Save is pressed");
    expect(proposals.at(-1)).toEqual({
      callId: expect.any(String),
      routineId: before.id,
      draft: {
        ...{ kind: "check_in", name: incidents.name, instruction: incidents.instruction },
        trigger: { kind: "schedule", schedule: { kind: "daily", at: "09:00" } },
        ...{ timezone: "UTC", missed: "run_once", atLimit: "wait" },
        destinations: [{ placeId: places.ops, thread: "", ownThread: true }],
      },
    });
    expect(await routines.get(office.db, before.id)).toEqual(before);
  });

  test("pauses at once and says so in the chat, and leaves going on to a person", async () => {
    const { id } = await make();
    expect(text(await call("update_routine", { routine: incidents.name, active: false }))).toContain("is paused");
    expect(notes).toEqual(["paused Open incidents"]);
    expect(await routines.get(office.db, id)).toMatchObject({ active: false });
    const again = await call("update_routine", { routine: incidents.name, active: true });
    expect(again.success).toBe(false);
    expect(text(again)).toContain("/routines");
    expect(await routines.get(office.db, id)).toMatchObject({ active: false });
  });

  test.each([
    [{ routine: "Open incidents" }, "say what to change"],
    [{ routine: "Open incidents", active: false, name: "Other" }, "a call of its own"],
    [{ routine: "Closed incidents", name: "Other" }, 'There are "Deploys", "Open incidents"'],
    [{ routine: "Open incidents", schedule: "hourly at :61" }, "don't understand"],
    [{ routine: "Open incidents", timezone: "Nowhere" }, "Europe/Lisbon"],
    [{ routine: "Open incidents", name: "Deploys" }, "that name already"],
    [{ routine: "Deploys", schedule: "daily 09:00" }, "no schedule"],
  ])("says what to correct about %j", async (args, sentence) => {
    await make();
    await call("create_webhook_routine", { name: "Deploys", instruction: "Tell of it." });
    await made();
    proposals.length = 0;
    const result = await call("update_routine", args);
    expect(result.success).toBe(false);
    expect(text(result)).toContain(sentence);
    expect([...proposals, ...notes]).toEqual([]);
    expect((await all()).every(({ active }) => active)).toBe(true);
  });
});

describe("delete_routine", () => {
  test("deletes at once, and says so in the chat", async () => {
    await make();
    expect(text(await call("delete_routine", { routine: incidents.name }))).toContain("is deleted");
    expect(notes).toEqual(["deleted Open incidents"]);
    expect(await all()).toEqual([]);
  });
});

describe("webhook routines", () => {
  const deploys = { name: "Deploys", instruction: "Tell of it.", types: ["deployed"], fields: { "/env": "prod" } };

  test("are proposed with what they let through; the secret is for the author alone", async () => {
    const result = await call("create_webhook_routine", { ...deploys, destinations: ["#ops"] });
    expect(text(result)).toContain("shown to its author in private, never to you");
    expect(proposals[0]?.draft).toMatchObject({
      trigger: {
        kind: "webhook",
        filter: { types: ["deployed"], fields: [{ pointer: "/env", equals: "prod" }] },
      },
      destinations: [{ placeId: places.ops }],
    });
    await made();
    expect(JSON.parse(text(await call("list_routines", {})))).toMatchObject({
      when: "when called from outside",
      next: "with the next call",
    });
  });

  test("are changed one thing at a time, with a new secret where that is asked for", async () => {
    await call("create_webhook_routine", deploys);
    const { id } = await made();
    await call("update_webhook_routine", { routine: "Deploys", types: [] });
    expect(proposals.at(-1)).toMatchObject({
      routineId: id,
      draft: { trigger: { filter: { types: [], fields: [{ pointer: "/env", equals: "prod" }] } } },
    });
    expect(proposals.at(-1)).not.toHaveProperty("newSecret");
    const renewed = await call("update_webhook_routine", { routine: "Deploys", new_secret: true });
    expect(proposals.at(-1)).toMatchObject({ routineId: id, newSecret: true });
    expect(text(renewed)).toContain("never to you");
  });

  test.each([
    ["create_webhook_routine", { ...deploys, fields: { env: "prod" } }, "JSON pointer"],
    ["update_webhook_routine", { routine: "Open incidents", name: "Other" }, "update_routine"],
    ["update_webhook_routine", { routine: "Deploys" }, "say what to change"],
  ])("%s says what to correct about %j", async (name, args, sentence) => {
    await make();
    await call("create_webhook_routine", deploys);
    await made();
    proposals.length = 0;
    const result = await call(name, args);
    expect(result.success).toBe(false);
    expect(text(result)).toContain(sentence);
    expect(proposals).toEqual([]);
  });
});

test("what a teammate was made to write is kept without what no database keeps, or refused in a sentence", async () => {
  await call("create_routine", { ...incidents, name: "Open\0 incidents", instruction: "Say \0which\ud83d are open." });
  expect(proposals).toMatchObject([{ draft: { name: "Open incidents", instruction: "Say which\ufffd are open." } }]);
  const hook = { name: "Calls", instruction: "Say what came." };
  for (const wrong of [{ types: ["push\0"] }, { fields: { "/action": "open\ud83d" } }, { fields: { "/a\0": 1 } }]) {
    expect(text(await call("create_webhook_routine", { ...hook, ...wrong }))).toContain("cannot be kept");
  }
  expect(proposals).toHaveLength(1);
});
