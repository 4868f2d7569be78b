import { describe, expect, test } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { dm, message } from "../inbox/office.ts";
import {
  all,
  ben,
  call,
  type From,
  incidents,
  made,
  make,
  milo,
  office,
  owner,
  placeId,
  places,
  routines,
  teammates,
  text,
} from "./routine-desk.ts";

describe("list_routines", () => {
  test("tells when, next, what came of it last and where, without ids", async () => {
    const { id } = await make({ timezone: "Europe/Lisbon", destinations: ["#ops", "here"], check_in: true });
    const listed = text(await call("list_routines", {}));
    expect(JSON.parse(listed)).toEqual({
      name: "Open incidents",
      when: "weekdays 08:30",
      zone: "Europe/Lisbon",
      next: expect.stringMatching(/^\d{4}-\d\d-\d\d 08:30$/),
      last: "never ran",
      where: ["Ops", "here"],
      check_in: true,
    });
    expect(listed).not.toContain(id);
    await call("test_routine", { routine: incidents.name });
    await call("update_routine", { routine: incidents.name, active: false });
    expect(JSON.parse(text(await call("list_routines", {})))).toMatchObject({
      next: "paused",
      last: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ (queued|cancelled)$/),
    });
  });

  test("in a shared place tells only what has to do with it; in private a person's own, and a manager all", async () => {
    const member = await office.hire(ben, "member");
    await office.sink(message(ben, "hello"));
    const bens = { by: member, placeId: await placeId(dm(ben).channel) };
    await make();
    await call("create_routine", { ...incidents, name: "Ben's own" }, bens);
    await made(member, { placeId: bens.placeId, thread: "" });
    await call("create_routine", { ...incidents, name: "For ops", destinations: ["#ops"] }, bens);
    await made(member, { placeId: bens.placeId, thread: "" });
    const names = async (from: From) =>
      text(await call("list_routines", {}, from))
        .split("\n")
        .map((line) => (JSON.parse(line) as { name: string }).name);
    expect(await names({ placeId: places.ops, isPrivate: false })).toEqual(["For ops"]);
    expect(await names(bens)).toEqual(["Ben's own", "For ops"]);
    expect(await names({})).toEqual(["Ben's own", "For ops", "Open incidents"]);
    expect(text(await call("delete_routine", { routine: "Open incidents" }, bens))).not.toContain('"Open incidents", ');
    expect(await all()).toHaveLength(3);
  });

  test("says so where there is none", async () => {
    expect(text(await call("list_routines", {}))).toBe("You have no routines here.");
  });
});

describe("test_routine", () => {
  test("starts one run that is a test, however often the call comes", async () => {
    const { id } = await make();
    const first = await call("test_routine", { routine: incidents.name }, { callId: "same" });
    expect(text(first)).toContain("its report is posted by itself");
    await call("test_routine", { routine: incidents.name }, { callId: "same" });
    expect(await routines.runs(office.db, id, 5)).toMatchObject([{ source: "test", status: "queued" }]);
  });
});

test("a copy of a teammate has none of its routines", async () => {
  await make();
  const copied = await office.unit((unit) => teammates.copy(unit, owner, milo.id, { name: "Rosa", key: "copy" }));
  if (copied.kind === "refused") throw new Error(copied.problem);
  expect(await routines.list(office.db, { teammateId: copied.teammate.id })).toEqual([]);
  expect(await all()).toHaveLength(1);
});

describe("history_search", () => {
  test("finds nothing of what only begins a routine's runs, and from outside nothing of its lane", async () => {
    const { conversationId } = await make();
    await call("test_routine", { routine: incidents.name });
    const lines = await office.db
      .selectFrom("messages")
      .select("text")
      .where("conversation_id", "=", conversationId)
      .execute();
    expect(lines).toEqual([{ text: incidents.name }]);
    const main = await office.db
      .selectFrom("conversations")
      .select("id")
      .where("place_id", "=", places.ada)
      .where("routine_id", "is", null)
      .executeTakeFirstOrThrow();
    for (const id of [main.id, conversationId]) {
      const found = await call("history_search", { query: incidents.name }, { conversationId: id, runId: newId() });
      expect(text(found)).toContain("Nothing was said here");
    }
    await office.db
      .updateTable("deliveries")
      .set({ trigger: "approval" })
      .where("conversation_id", "=", conversationId)
      .execute();
    const inLane = { conversationId, runId: newId() };
    expect(text(await call("history_search", { query: incidents.name }, inLane))).toContain('"by":"Shipmate"');
    const outside = { ...inLane, conversationId: main.id };
    expect(text(await call("history_search", { query: incidents.name }, outside))).toContain("Nothing was said here");
  });
});
