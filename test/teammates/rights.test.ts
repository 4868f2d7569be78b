import { beforeEach, expect, test } from "vitest";
import type { Person, Role } from "../../src/people/index.ts";
import type { Actor, Profile, Saved, Teammate } from "../../src/teammates/index.ts";
import { ada, person } from "../inbox/office.ts";
import { useOffice } from "../inbox/scene.ts";

const office = await useOffice();
let owner: Person;
let penny: Teammate;
let milo: Teammate;
beforeEach(async () => {
  owner = await office.hire(ada, "owner");
  const saved = await create(owner, "Penny");
  if (saved.kind === "refused") throw new Error(saved.problem);
  penny = saved.teammate;
  milo = await office.unit((unit) => office.deps.teammates.ensureDefault(unit));
});

const { teammates } = office.deps;
const create = (by: Actor, name: string, more: Partial<Profile> = {}) =>
  office.unit((unit) => teammates.create(unit, by, { name, title: "Bookkeeper", job: "Keeps the books.", ...more }));
const update = (by: Actor, id: string, change: Partial<Profile>) =>
  office.unit((unit) => teammates.update(unit, by, id, change));
const outcome = (saved: Saved) => (saved.kind === "refused" ? saved.problem : "saved");

/** Every field, changed to something else, and the least role of a person who may. */
const changes: readonly (readonly [what: string, change: Partial<Profile>, least: Role])[] = [
  ["name", { name: "Rosa" }, "manager"],
  ["title", { title: "Auditor" }, "manager"],
  ["job", { job: "Audits." }, "manager"],
  ["model", { model: "gpt-x" }, "manager"],
  ["effort", { effort: "high" }, "manager"],
  ["picture", { picture: "🦊" }, "manager"],
  ["what happens while it is busy", { busyMode: "queue" }, "manager"],
  ["notifications", { notifications: false }, "manager"],
  ["autonomy, towards asking", { autonomy: "ask_all" }, "manager"],
  ["autonomy, away from asking", { autonomy: "autonomous" }, "admin"],
  ["access, to everything", { access: "full" }, "admin"],
];
const roles = ["owner", "admin", "manager", "member", "guest"] as const;
const mayAt = (role: Role, least: Role) =>
  roles.indexOf(role as (typeof roles)[number]) <= roles.indexOf(least as never);

for (const role of roles) {
  for (const [what, change, least] of changes) {
    const may = mayAt(role, least);
    test(`${role}: ${may ? "may" : "may not"} change ${what}`, async () => {
      const by = await office.hire(person("ben", "Ben"), role);
      expect(outcome(await update(by, penny.id, change))).toBe(may ? "saved" : "not_allowed");
      const { name: _, ...more } = change;
      expect(outcome(await create(by, "Other", more))).toBe(may ? "saved" : "not_allowed");
    });
  }
}

/** What a teammate may change when such a person asked, or nobody: about itself, and about others. */
const harmless = new Set(["title", "picture", "autonomy, towards asking"]);
for (const role of [...roles, "nobody"] as const) {
  for (const [what, change, least] of changes) {
    const widens = least === "admin";
    const commands = role !== "nobody" && mayAt(role, "manager");
    const own = widens ? "never_wider" : commands || harmless.has(what) ? "saved" : "not_allowed";
    const others = widens ? "never_wider" : commands ? "saved" : "not_allowed";
    test(`a teammate for ${role}: ${what} is ${own} for itself, ${others} for others`, async () => {
      const requester = role === "nobody" ? null : await office.hire(person("ben", "Ben"), role);
      expect(outcome(await update({ teammate: penny, requester }, penny.id, change))).toBe(own);
      expect(
        outcome(
          await update({ teammate: penny, requester }, milo.id, { ...change, ...(change.name && { name: "Rosa 2" }) }),
        ),
      ).toBe(others);
    });
  }

  const may = role !== "nobody" && mayAt(role, "manager");
  test(`a teammate for ${role} ${may ? "adds" : "does not add"} somebody`, async () => {
    const requester = role === "nobody" ? null : await office.hire(person("ben", "Ben"), role);
    expect(outcome(await create({ teammate: penny, requester }, "Rosa"))).toBe(may ? "saved" : "not_allowed");
    expect(await office.db.selectFrom("teammates").select("id").execute()).toHaveLength(may ? 3 : 2);
  });
}

test("what a teammate was let do, it can give up for itself, and not take back", async () => {
  await update(owner, penny.id, { access: "full", autonomy: "autonomous" });
  const alone = { teammate: penny, requester: null };
  expect(outcome(await update(alone, penny.id, { access: "workspace", autonomy: "ask_consequential" }))).toBe("saved");
  const asked = { teammate: penny, requester: owner };
  expect(outcome(await update(asked, penny.id, { access: "full" }))).toBe("never_wider");
  expect(outcome(await update(asked, penny.id, { autonomy: "autonomous" }))).toBe("never_wider");
});

test("a teammate's child thinks with its model, and asks at least as much", async () => {
  const maker = await update(owner, penny.id, { model: "gpt-x", effort: "high", autonomy: "ask_all", access: "full" });
  if (maker.kind === "refused") throw new Error(maker.problem);
  const by = { teammate: maker.teammate, requester: owner };
  expect(await create(by, "Rosa")).toMatchObject({
    teammate: { model: "gpt-x", effort: "high", autonomy: "ask_all", access: "workspace" },
  });
  expect(outcome(await create(by, "Rosa 2", { autonomy: "ask_consequential" }))).toBe("never_wider");
  expect(await create(by, "Rosa 3", { model: "gpt-y" })).toMatchObject({
    teammate: { model: "gpt-y", effort: "high" },
  });
  const made = await office.db.selectFrom("teammates").selectAll().where("name", "=", "Rosa").executeTakeFirstOrThrow();
  expect(made).toMatchObject({ created_by: owner.id, created_by_teammate: penny.id });
});

test("one who acts alone makes nobody who does", async () => {
  const maker = await update(owner, penny.id, { autonomy: "autonomous" });
  if (maker.kind === "refused") throw new Error(maker.problem);
  const by = { teammate: maker.teammate, requester: owner };
  expect(await create(by, "Rosa")).toMatchObject({ teammate: { autonomy: "ask_consequential" } });
  expect(outcome(await create(by, "Rosa 2", { autonomy: "autonomous" }))).toBe("never_wider");
});

test("a creation that comes again, also at the same moment, is the same creation", async () => {
  const again = () =>
    office.unit((unit) =>
      teammates.create(unit, owner, { name: "Rosa", title: "Auditor", job: "Audits." }, { key: "draft:1" }),
    );
  const saved = [...(await Promise.all([again(), again()])), await again()];
  expect(new Set(saved.map((each) => (each.kind === "saved" ? each.teammate.id : each.problem))).size).toBe(1);
  expect(await teammates.everyone(office.db)).toHaveLength(3);
});

test("a creation that fails later leaves nothing", async () => {
  const failing = office.unit(async (unit) => {
    await teammates.create(unit, owner, { name: "Rosa", title: "Auditor", job: "Audits." }, { key: "draft:1" });
    throw new Error("the power went");
  });
  await expect(failing).rejects.toThrow("the power went");
  expect(await teammates.everyone(office.db)).toHaveLength(2);
  expect(outcome(await create(owner, "Rosa"))).toBe("saved");
});

for (const role of roles) {
  const may = mayAt(role, "admin");
  test(`${role}: ${may ? "may" : "may not"} send a colleague away and have it back`, async () => {
    const by = await office.hire(person("ben", "Ben"), role);
    const hide = () => office.unit((unit) => teammates.hide(unit, by, penny.id));
    const show = () => office.unit((unit) => teammates.show(unit, by, penny.id));
    expect(outcome(await hide())).toBe(may ? "saved" : "not_allowed");
    expect((await teammates.list(office.db)).map(({ name }) => name)).toEqual(may ? ["Milo"] : ["Milo", "Penny"]);
    expect(outcome(await show())).toBe(may ? "saved" : "not_allowed");
    expect(await teammates.list(office.db)).toHaveLength(2);
  });
}

test("somebody has to stay, also when two send the last two away at once", async () => {
  const hide = (id: string) => office.unit((unit) => teammates.hide(unit, owner, id));
  const saved = await Promise.all([hide(milo.id), hide(penny.id)]);
  expect(saved.map(outcome).toSorted()).toEqual(["last_one", "saved"]);
  expect(await teammates.list(office.db)).toHaveLength(1);
});

test("a copy has everything but name, memory and conversations", async () => {
  await update(owner, penny.id, {
    autonomy: "ask_all",
    busyMode: "queue",
    notifications: false,
    picture: "🦊",
    model: "gpt-x",
  });
  await office.db
    .updateTable("teammates")
    .set({ instructions: "Round to cents.", task_limit: 2 })
    .where("id", "=", penny.id)
    .execute();
  await office.db
    .insertInto("memories")
    .values({ id: milo.id, teammate_id: penny.id, text: "The year ends in June.", origin: "manual" })
    .execute();
  const copy = () => office.unit((unit) => teammates.copy(unit, owner, penny.id, { name: "Rosa", key: "event:1" }));
  const saved = await copy();
  if (saved.kind === "refused") throw new Error(saved.problem);
  const { id: _, handle, name, ...rest } = saved.teammate;
  const before = await teammates.get(office.db, penny.id);
  expect({ handle, name }).toEqual({ handle: "rosa", name: "Rosa" });
  expect(before).toMatchObject({ ...rest, instructions: "Round to cents.", taskLimit: 2 });
  expect(await teammates.get(office.db, saved.teammate.id)).toEqual(saved.teammate);
  const memories = await office.db.selectFrom("memories").select("teammate_id").execute();
  expect(memories).toEqual([{ teammate_id: penny.id }]);
  expect(await copy()).toEqual(saved);
  expect(outcome(await office.unit((unit) => teammates.copy(unit, owner, penny.id, { name: "Milo" })))).toBe(
    "name_taken",
  );
});

test("a manager copies nobody who may do more than a manager can give", async () => {
  const ben = await office.hire(person("ben", "Ben"), "manager");
  const copy = (by: Person, name: string) => office.unit((unit) => teammates.copy(unit, by, penny.id, { name }));
  expect(outcome(await copy(ben, "Rosa"))).toBe("saved");
  await update(owner, penny.id, { access: "full" });
  expect(outcome(await copy(ben, "Rosa 2"))).toBe("not_allowed");
  expect(outcome(await copy(owner, "Rosa 2"))).toBe("saved");
});
