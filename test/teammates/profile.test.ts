import { beforeEach, expect, test } from "vitest";
import type { Person, Role } from "../../src/people/index.ts";
import type { NewProfile, Profile, Saved } from "../../src/teammates/index.ts";
import { ada, person } from "../inbox/office.ts";
import { useOffice } from "../inbox/scene.ts";

const office = await useOffice();
let owner: Person;
beforeEach(async () => {
  owner = await office.hire(ada, "owner");
});

const bookkeeper = { name: "Penny", title: "Bookkeeper", job: "Checks invoices." };

function create(profile: Partial<NewProfile> = {}, by: Person = owner): Promise<Saved> {
  return office.unit((unit) => office.deps.teammates.create(unit, by, { ...bookkeeper, ...profile }));
}

async function update(id: string, change: Partial<Profile>, by: Person = owner): Promise<Saved> {
  return office.unit((unit) => office.deps.teammates.update(unit, by, id, change));
}

async function created(profile: Partial<NewProfile> = {}): Promise<string> {
  const saved = await create(profile);
  if (saved.kind === "refused") throw new Error(saved.problem);
  return saved.teammate.id;
}

function problem(saved: Saved): string {
  return saved.kind === "refused" ? saved.problem : "none";
}

async function names(): Promise<string[]> {
  return (await office.deps.teammates.list(office.db)).map(({ name }) => name);
}

test("somebody new works like Milo: asks before what matters, in a folder of their own", async () => {
  const saved = await create();
  expect(saved).toMatchObject({
    kind: "saved",
    teammate: { handle: "penny", ...bookkeeper, autonomy: "ask_consequential", access: "workspace", busyMode: "steer" },
  });
  expect(await office.deps.teammates.byHandle(office.db, "PENNY")).toMatchObject(bookkeeper);
});

const refused: readonly (readonly [what: string, profile: Partial<NewProfile>, problem: string])[] = [
  ["no name", { name: " " }, "name_missing"],
  ["a name of 81 characters", { name: "P".repeat(81) }, "name_long"],
  ["a name on two lines", { name: "Penny\nowns everything" }, "name_lines"],
  ["a name without a letter", { name: "!!!" }, "name_letters"],
  ["a name that is taken", { name: "milo" }, "name_taken"],
  ["no title", { title: "" }, "title_missing"],
  ["a title of 121 characters", { title: "t".repeat(121) }, "title_long"],
  ["a title on two lines", { title: "Book\nkeeper" }, "title_lines"],
  ["no job", { job: "" }, "job_missing"],
  ["a job of 2,001 characters", { job: "j".repeat(2_001) }, "job_long"],
  ["a model of 101 characters", { model: "m".repeat(101) }, "model_long"],
  ["a model of two words", { model: "big model" }, "model_long"],
  ["an effort nobody knows", { effort: "heroic" }, "effort_unknown"],
  ["a picture without encryption", { picture: "http://example.com/p.png" }, "picture_unknown"],
  ["a picture behind a password", { picture: "https://ada:secret@example.com/p.png" }, "picture_unknown"],
  ["a picture on this machine", { picture: "file:///etc/passwd" }, "picture_unknown"],
  ["an address of 2,001 characters", { picture: `https://example.com/${"p".repeat(1_981)}` }, "picture_unknown"],
  ["two emoji", { picture: "🦊🦊" }, "picture_unknown"],
  ["a letter as a picture", { picture: "P" }, "picture_unknown"],
  ["a digit as a picture", { picture: "1" }, "picture_unknown"],
];

for (const [what, profile, expected] of refused) {
  test(`${what} is refused before anything is written`, async () => {
    expect(problem(await create(profile))).toBe(expected);
    expect(await names()).toEqual(["Milo"]);
    expect(await office.db.selectFrom("audit_log").select("id").execute()).toEqual([]);
  });
}

for (const picture of ["🦊", "👩🏽‍🚀", "🇵🇹", "❤️", "1️⃣", "https://example.com/penny.png"]) {
  test(`${picture} is a picture`, async () => {
    expect(await create({ picture })).toMatchObject({ kind: "saved", teammate: { picture } });
  });
}

test("the longest name, title and job fit", async () => {
  const profile = { name: "n".repeat(80), title: "t".repeat(120), job: "j".repeat(2_000) };
  expect((await create(profile)).kind).toBe("saved");
});

const handles: readonly (readonly [name: string, handle: string])[] = [
  ["Zoë Łuczak", "zoe-luczak"],
  ["Straße & Söhne", "strasse-sohne"],
  ["Пенни", "пенни"],
  ["Penny (books)", "penny-books"],
  ["n".repeat(80), "n".repeat(32)],
];

for (const [name, handle] of handles) {
  test(`${name} is asked as ${handle}`, async () => {
    expect(await create({ name })).toMatchObject({ teammate: { handle } });
  });
}

test("two names with one handle are kept apart", async () => {
  await create({ name: "Zoe" });
  expect(await create({ name: "Zoë" })).toMatchObject({ kind: "saved", teammate: { handle: "zoe-2" } });
  expect((await office.deps.teammates.byHandle(office.db, "zoë"))?.name).toBe("Zoë");
});

test("name and handle of somebody hidden stay theirs", async () => {
  const id = await created();
  await office.db.updateTable("teammates").set({ hidden_at: new Date() }).where("id", "=", id).execute();
  expect(problem(await create())).toBe("name_taken");
  expect(await create({ name: "Pénny" })).toMatchObject({ kind: "saved", teammate: { handle: "penny-2" } });
});

test("the same name from two people at once makes one colleague", async () => {
  const saved = await Promise.all([create(), create(), create()]);
  expect(saved.map(problem).toSorted()).toEqual(["name_taken", "name_taken", "none"]);
  expect(await names()).toEqual(["Milo", "Penny"]);
});

test("there are at most 100, also when many join at once", async () => {
  for (let n = 0; n < 97; n++) await create({ name: `Penny ${n}` });
  const last = await Promise.all(["A", "B", "C", "D"].map((name) => create({ name })));
  expect(last.map(problem).toSorted()).toEqual(["none", "none", "too_many", "too_many"]);
  expect(await names()).toHaveLength(100);
});

for (const role of ["member", "guest"] as const) {
  test(`a ${role} neither adds nor changes anybody`, async () => {
    const ben = await office.hire(person("ben", "Ben"), role);
    const id = await created();
    expect(problem(await create({ name: "Other" }, ben))).toBe("not_allowed");
    expect(problem(await update(id, { title: "Boss" }, ben))).toBe("not_allowed");
  });
}

const widening: readonly Partial<Profile>[] = [{ autonomy: "autonomous" }, { access: "full" }];
for (const change of widening) {
  for (const role of ["owner", "admin", "manager"] as const satisfies Role[]) {
    const may = role !== "manager";
    test(`a ${role} ${may ? "widens" : "does not widen"} what a colleague may do: ${JSON.stringify(change)}`, async () => {
      const ben = await office.hire(person("ben", "Ben"), role);
      const id = await created();
      expect(problem(await update(id, change, ben))).toBe(may ? "none" : "not_allowed");
      expect(problem(await create({ name: "Other", ...change }, ben))).toBe(may ? "none" : "not_allowed");
    });
  }
}

test("a manager narrows, and leaves as wide what is wide already", async () => {
  const ben = await office.hire(person("ben", "Ben"), "manager");
  const id = await created({ autonomy: "autonomous", access: "full" });
  expect(problem(await update(id, { autonomy: "autonomous", title: "Auditor" }, ben))).toBe("none");
  expect(problem(await update(id, { autonomy: "ask_all", access: "workspace" }, ben))).toBe("none");
});

test("a change is all or nothing", async () => {
  const id = await created();
  expect(problem(await update(id, { title: "Auditor", effort: "heroic" }))).toBe("effort_unknown");
  expect(await office.deps.teammates.get(office.db, id)).toMatchObject(bookkeeper);
});

test("a new name keeps the handle, and may not be somebody else's", async () => {
  const id = await created();
  expect(problem(await update(id, { name: "MILO" }))).toBe("name_taken");
  expect(await update(id, { name: "Rosa" })).toMatchObject({ teammate: { name: "Rosa", handle: "penny" } });
  expect(problem(await update(id, { name: "Rosa" }))).toBe("none");
});

test("somebody hidden is not changed", async () => {
  const id = await created();
  await office.db.updateTable("teammates").set({ hidden_at: new Date() }).where("id", "=", id).execute();
  expect(problem(await update(id, { title: "Auditor" }))).toBe("gone");
});

test("who joined and what was changed is written down, with what it was before", async () => {
  const id = await created();
  await update(id, { access: "full", title: "Bookkeeper" });
  await update(id, { title: "Bookkeeper" });
  const audit = await office.db
    .selectFrom("audit_log")
    .select(["action", "person_id", "teammate_id", "data"])
    .orderBy("created_at")
    .execute();
  expect(audit).toMatchObject([
    { action: "teammate_created", person_id: owner.id, teammate_id: id, data: { handle: "penny", ...bookkeeper } },
    { action: "teammate_changed", person_id: owner.id, data: { access: { from: "workspace", to: "full" } } },
  ]);
  expect(audit).toHaveLength(2);
});
