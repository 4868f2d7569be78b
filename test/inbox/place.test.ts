import { expect, test } from "vitest";
import type { Author } from "../../src/chat/index.ts";
import type { Role } from "../../src/people/index.ts";
import { addTeammate, asked } from "./colleagues.ts";
import { ada, command, group, message, person, stranger } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

const ben = person("ben", "Ben");

const card = lastCard(office);
const { latest } = card;

function pressed(label: string, by: Author = ada): Promise<string | undefined> {
  return card.pressed(label, by, { place: group });
}

function added(author: Author) {
  return { kind: "membership", key: `added-${author.id}`, place: group, author, change: "added" } as const;
}

async function access(): Promise<string | undefined> {
  const row = await office.db.selectFrom("places").select("access").where("kind", "=", "group").executeTakeFirst();
  return row?.access;
}

for (const role of ["owner", "admin", "manager"] as const satisfies Role[]) {
  test(`a ${role} who adds us opens the place with one press`, async () => {
    await office.hire(ben, role);
    await office.sink(added(ben));
    expect((await latest()).text).toBe("Hi. Ada, who may ask me here?");
    await pressed("My team", ben);
    expect(await access()).toBe("members");
    expect((await latest()).text).toBe("My team may ask me here. Decided by Ben.");
  });
}

for (const role of ["member", "guest"] as const satisfies Role[]) {
  test(`F-28 a ${role} does not open a place, and is told so alone`, async () => {
    await office.hire(ben, role);
    await office.sink(added(ada));
    expect(await pressed("Everyone", ben)).toBe("Only a manager can decide this.");
    expect(await access()).toBe("closed");
    await pressed("Everyone", ada);
    expect(await access()).toBe("everyone");
  });
}

test("with one colleague nobody is asked who answers", async () => {
  await office.sink(added(ada));
  await pressed("Everyone");
  expect((await latest()).selects).toEqual([]);
});

test("with several colleagues the opened card asks who answers by default", async () => {
  await addTeammate(office);
  await office.sink(added(ada));
  await pressed("My team");
  const { selects } = await latest();
  expect(selects.map(({ label, options }) => [label, options.map((each) => [each.label, each.current])])).toEqual([
    [
      "Who answers here by default",
      [
        ["Milo", true],
        ["Penny", false],
      ],
    ],
  ]);
  expect(await pressed("Penny")).toBe("Penny answers here by default.");
  expect((await latest()).text).toBe("My team may ask me here. Penny answers here by default. Decided by Ada.");
  await office.sink(message(ada, "hello", { place: group }));
  expect(await asked(office)).toEqual(["Penny"]);
});

test("F-28 a member does not choose who answers", async () => {
  await addTeammate(office);
  await office.hire(ben, "member");
  await office.sink(added(ada));
  await pressed("My team");
  expect(await pressed("Penny", ben)).toBe("Only a manager can decide this.");
  await office.sink(message(ada, "hello", { place: group }));
  expect(await asked(office)).toEqual(["Milo"]);
});

test("/place shows who may ask and who answers, and changes both", async () => {
  await addTeammate(office);
  await office.hire(ben, "manager");
  await office.open(group, "members");
  await office.sink(command(ben, "place", "", { place: group }));
  const { text, buttons } = await latest();
  expect(text).toBe("My team may ask me here. Milo answers here by default.");
  expect(buttons.map(({ label }) => label)).toEqual(["Everyone", "Only me"]);
  await pressed("Everyone", ben);
  expect(await latest()).toMatchObject({ op: "edit", text: "Everyone may ask me here. Milo answers here by default." });
  expect((await latest()).buttons.map(({ label }) => label)).toEqual(["My team", "Only me"]);
  await pressed("Penny", ben);
  expect((await latest()).text).toBe("Everyone may ask me here. Penny answers here by default.");
  await pressed("Only me", ben);
  expect(await access()).toBe("owner");
});

test("/place opens what nobody opened yet, even when the card was asked before", async () => {
  await office.sink(added(ada));
  await office.sink(command(ada, "place", "", { place: group }));
  expect((await latest()).buttons.map(({ label }) => label)).toEqual(["Everyone", "My team", "Only me"]);
  await pressed("My team");
  expect(await access()).toBe("members");
});

test("a manager who may not ask in a place may still decide about it", async () => {
  await office.hire(ben, "manager");
  await office.open(group, "owner");
  await office.sink(command(ben, "place", "", { place: group }));
  await pressed("My team", ben);
  expect(await access()).toBe("members");
});

test("/place is not for members, and a stranger hears nothing", async () => {
  await office.hire(ben, "member");
  await office.open(group, "members");
  await office.sink(command(ben, "place", "", { place: group }));
  expect((await latest()).text).toBe("Only managers and above can do that.");
  const before = (await office.posts()).length;
  await office.sink(command(stranger, "place", "", { place: group }));
  expect(await office.posts()).toHaveLength(before);
});

test("/place in a direct message says where it belongs", async () => {
  await office.sink(command(ada, "place"));
  expect((await latest()).text).toBe("That is for groups and channels: say it there.");
});

test("who chose whom is written down", async () => {
  const penny = await addTeammate(office);
  await office.sink(added(ada));
  await pressed("My team");
  await pressed("Penny");
  const audit = await office.db.selectFrom("audit_log").select(["action", "teammate_id"]).execute();
  expect(audit).toContainEqual({ action: "place_lead", teammate_id: penny });
});
