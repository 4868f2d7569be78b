import { beforeEach, expect, test } from "vitest";
import { toComponents } from "../../adapters/discord/components.ts";
import type { Author } from "../../src/chat/index.ts";
import type { Teammate } from "../../src/teammates/index.ts";
import { addTeammate, asked } from "./colleagues.ts";
import { ada, command, group, message, person, press, type ShownPost } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
beforeEach(async () => {
  await addTeammate(office);
});

const ben = person("ben", "Ben");

const { latest, token, pressed, fill, labels } = lastCard(office);

async function profile(by: Author = ada, more = {}): Promise<ShownPost> {
  await office.sink(command(by, "agent", "penny", more));
  return latest();
}

/** The profile with the buttons of one of its parts. */
async function part(label: string, by: Author = ada, more = {}): Promise<ShownPost> {
  await profile(by, more);
  await pressed(label, by, more);
  return latest();
}

async function penny(): Promise<Teammate | undefined> {
  return office.deps.teammates.byHandle(office.db, "penny");
}

test("/agent shows a profile in words that people use", async () => {
  const { text } = await profile();
  expect(text).toBe(
    [
      "**Penny**, Bookkeeper",
      "Keeps the books.",
      [
        "- **Asks:** before what matters",
        "- **Reaches:** its own folder",
        "- **While busy:** takes in what you add",
        "- **Model:** default",
        "- **Effort:** default",
        "- **Answers:** notify",
        "- **Picture:** none",
      ].join("\n"),
    ].join("\n\n"),
  );
});

test("a manager gets a few buttons at a time, and what holds now is marked", async () => {
  await office.hire(ben, "manager");
  expect((await profile(ben)).selects).toEqual([]);
  expect(await labels()).toEqual(["Edit", "Settings", "Model", "More"]);
  const edit = await part("Edit", ben);
  expect(edit).toMatchObject({ op: "edit", target: "card" });
  expect(edit.buttons.map(({ label, opensForm }) => [label, opensForm])).toEqual([
    ...["Name", "Title", "Job", "Picture"].map((label) => [label, true]),
    ["Back", false],
  ]);
  const { selects } = await part("Settings", ben);
  expect(selects.map(({ label }) => label)).toEqual(["Asks", "Reaches"]);
  expect(await labels()).toEqual(["One thing after another", "Answer quietly", "Back"]);
  const current = selects.map(({ options }) => options.filter((option) => option.current).map(({ label }) => label));
  expect(current).toEqual([["before what matters"], ["its own folder"]]);
  expect((await part("Model", ben)).selects.map(({ label }) => label)).toEqual(["Effort"]);
  await part("More", ben);
  expect(await labels()).toEqual(["Duplicate", "Back"]);
  await pressed("Back", ben);
  expect(await labels()).toEqual(["Edit", "Settings", "Model", "More"]);
});

test("no part of the card needs more than five rows on Discord", async () => {
  await office.open(group, "members");
  for (const label of ["Edit", "Settings", "Model", "More"]) {
    const post = await part(label, ada, { place: group });
    expect(toComponents({ buttons: post.rows, selects: post.selects })).toHaveLength(
      post.rows.length + post.selects.length,
    );
  }
});

for (const role of ["member", "guest"] as const) {
  test(`a ${role} sees the profile without controls`, async () => {
    await office.hire(ben, role);
    const { text, buttons, selects } = await profile(ben);
    expect(text).toContain("**Penny**");
    expect([...buttons, ...selects]).toEqual([]);
  });
}

test("a choice is carried out, and the card shows it with fresh buttons", async () => {
  await part("Settings");
  const old = await token("before everything");
  expect(await pressed("before everything")).toBe("Saved.");
  expect(await latest()).toMatchObject({
    op: "edit",
    target: "card",
    text: expect.stringContaining("before everything"),
  });
  expect(await token("before everything")).not.toBe(old);
  await part("Model");
  await pressed("high");
  expect(await penny()).toMatchObject({ autonomy: "ask_all", effort: "high" });
  await pressed("default");
  expect((await penny())?.effort).toBeNull();
});

test("what was written into a form is carried out", async () => {
  await part("Edit");
  await fill("Name", "Rosa");
  await fill("Title", "Auditor");
  await fill("Job", "Looks at the books\nonce a month.");
  await fill("Picture", "🦊");
  await pressed("Back");
  await pressed("Model");
  await fill("Model", "gpt-x");
  const changed = { name: "Rosa", title: "Auditor", job: "Looks at the books\nonce a month." };
  expect(await penny()).toMatchObject({ ...changed, model: "gpt-x", picture: "🦊" });
});

for (const value of ["", "none", "Default"]) {
  test(`"${value}" takes a model and a picture away`, async () => {
    await office.db.updateTable("teammates").set({ model: "gpt-x", picture: "🦊" }).execute();
    await part("Model");
    await fill("Model", value);
    await part("Edit");
    await fill("Picture", value);
    expect(await penny()).toMatchObject({ model: null, picture: null });
  });
}

const widening = [
  ["never", { autonomy: "autonomous" }],
  ["the whole computer", { access: "full" }],
] as const;
for (const [label, change] of widening) {
  test(`F-28 a manager may not choose "${label}", and is told so alone`, async () => {
    await office.hire(ben, "manager");
    await part("Settings", ben);
    const before = (await office.posts()).length;
    expect(await pressed(label, ben)).toBe("Only an owner or admin can decide this.");
    expect(await office.posts()).toHaveLength(before);
    expect(await penny()).not.toMatchObject(change);
    // The refusal used nothing up.
    expect(await pressed("before everything", ben)).toBe("Saved.");
  });

  test(`an admin may choose "${label}"`, async () => {
    await office.hire(ben, "admin");
    await part("Settings", ben);
    await pressed(label, ben);
    expect(await penny()).toMatchObject(change);
  });
}

test("full access says what it takes", async () => {
  await part("Settings");
  const options = (await latest()).selects.flatMap((select) => select.options);
  expect(options.find(({ label }) => label === "the whole computer")?.description).toContain("isolated");
  await pressed("the whole computer");
  expect((await latest()).text).toContain("That needs an isolated computer");
});

test("somebody who is no manager any more changes nothing with an old card", async () => {
  const { id } = await office.hire(ben, "manager");
  await part("Settings", ben);
  const old = await token("before everything");
  await office.db.updateTable("people").set({ role: "member" }).where("id", "=", id).execute();
  await office.sink(press(ben, old));
  expect((await penny())?.autonomy).toBe("ask_consequential");
});

test("a card of a colleague who was hidden meanwhile changes nothing", async () => {
  await part("Settings");
  await office.db.updateTable("teammates").set({ hidden_at: new Date() }).where("handle", "=", "penny").execute();
  expect(await pressed("before everything")).toBe("That colleague is not here any more.");
});

test("in a shared place a colleague can be made the one who answers by default", async () => {
  await office.open(group, "members");
  await part("More", ada, { place: group });
  expect(await pressed("Let it answer here", ada, { place: group })).toBe("Penny answers here by default.");
  expect((await latest()).buttons.map(({ label }) => label)).not.toContain("Let it answer here");
  await office.sink(message(ada, "hello", { place: group }));
  expect(await asked(office)).toEqual(["Penny"]);
  const audit = await office.db.selectFrom("audit_log").select("action").execute();
  expect(audit).toContainEqual({ action: "place_lead" });
});

test("who answers there anyway is not offered to", async () => {
  await office.open(group, "members");
  await office.sink(command(ada, "agent", "milo", { place: group }));
  await pressed("More", ada, { place: group });
  expect((await latest()).buttons.map(({ label }) => label)).not.toContain("Let it answer here");
});

test("in a direct message there is nobody to choose by default", async () => {
  expect((await part("More")).buttons.map(({ label }) => label)).not.toContain("Let it answer here");
});

test("while busy, and how answers arrive, are switched by a button each", async () => {
  await part("Settings");
  expect(await pressed("One thing after another")).toBe("Saved.");
  await pressed("Answer quietly");
  expect(await penny()).toMatchObject({ busyMode: "queue", notifications: false });
  expect((await latest()).text).toContain("- **While busy:** one thing after another");
  expect((await latest()).text).toContain("- **Answers:** come quietly");
  await pressed("Take in what I add");
  await pressed("Notify on answers");
  expect(await penny()).toMatchObject({ busyMode: "steer", notifications: true });
});

test("/agent alone asks which one, and shows the only one where there is but one", async () => {
  await office.sink(command(ada, "agent"));
  expect((await latest()).text).toBe("Whose profile? /agent Milo, for example. There are Milo, Penny.");
  await office.sink(command(ada, "agent", "nobody"));
  expect((await latest()).text).toBe("There is no nobody here. You can ask Milo or Penny.");
  await office.db.deleteFrom("teammates").where("handle", "=", "penny").execute();
  await office.sink(command(ada, "agent"));
  expect((await latest()).text).toContain("**Milo**");
});
