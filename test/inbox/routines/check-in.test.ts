import { expect, test } from "vitest";
import { ada, command, dm, group, message, person, press } from "../office.ts";
import { claimed, lastCard, useOffice } from "../scene.ts";

const office = await useOffice(claimed);
const { latest, pressed, labels } = lastCard(office);
const ben = person("ben", "Ben");
const offer = "Check in on weekdays at 9:00";

const routines = () => office.deps.routines.list(office.db);

async function invite(role: "member" | "guest"): Promise<void> {
  const [owner] = await office.deps.people.owners(office.db);
  if (!owner) throw new Error("nobody owns the bot");
  const { code } = await office.unit((unit) => office.deps.people.issueInvite(unit, owner, role));
  await office.sink(message(ben, code));
}

test("the greeting offers a check-in beside the first tasks; until somebody creates it there is none", async () => {
  expect(await labels()).toEqual([
    "What can you do for me?",
    "Make a one-page site about my team",
    "Compare three note apps",
    offer,
  ]);
  await office.db.updateTable("people").set({ timezone: "Europe/Lisbon" }).execute();
  await pressed(offer);
  const card = await latest();
  expect(card.text).toContain("**Check-in for Ada** → here · weekdays 09:00 (Lisbon)");
  expect(card.text).toContain("a check-in: silent when nothing is new");
  expect(card.text).toContain("stay quiet");
  expect(card.buttons.map(({ label }) => label)).toEqual(["Create", "Change", "Cancel"]);
  expect(await routines()).toEqual([]);
  expect(await office.deliveries()).toEqual([]);
  await pressed("Create");
  expect(await routines()).toMatchObject([
    {
      kind: "check_in",
      name: "Check-in for Ada",
      timezone: "Europe/Lisbon",
      trigger: { kind: "schedule", schedule: { kind: "weekdays", at: "09:00" } },
      destinations: [],
      author: { name: "Ada" },
    },
  ]);
});

test("it is offered once: neither after it was opened, nor after it was dropped", async () => {
  const [greeting] = await office.posts();
  const button = greeting?.buttons.find(({ label }) => label === offer);
  await pressed(offer);
  const redrawn = (await office.posts()).find(({ op }) => op === "edit");
  expect(redrawn?.buttons.map(({ label }) => label)).toEqual(greeting?.buttons.slice(0, 3).map(({ label }) => label));
  await office.sink(press(ada, button?.token ?? ""));
  const cards = () => office.texts().then((texts) => texts.filter((text) => text.includes("Check-in for Ada")));
  expect(await cards()).toHaveLength(1);
  await pressed("Cancel");
  for (const { label, token } of redrawn?.buttons ?? []) {
    await office.sink(press(ada, token));
    expect((await office.posts()).at(-1)?.buttons.map((each) => each.label)).not.toContain(label);
  }
  const later = (await office.posts()).slice(1).flatMap(({ buttons }) => buttons.map(({ label }) => label));
  expect(later).not.toContain(offer);
  expect(await routines()).toEqual([]);
});

test("whoever is invited is offered one of their own, and guests none", async () => {
  await invite("member");
  expect(await labels()).toContain(offer);
  await pressed(offer, ben, { place: dm(ben) });
  await pressed("Create", ben, { place: dm(ben) });
  expect(await routines()).toMatchObject([{ name: "Check-in for Ben", author: { name: "Ben" } }]);
  await office.reset();
  await office.claim();
  await invite("guest");
  expect(await labels()).toHaveLength(3);
});

test("nobody who is a guest by now makes one of an offer from before", async () => {
  await invite("member");
  await office.db.updateTable("people").set({ role: "guest" }).where("display_name", "=", "Ben").execute();
  expect(await pressed(offer, ben, { place: dm(ben) })).toBe("Routines are for members of the team.");
  expect((await office.texts()).some((text) => text.includes("Check-in for Ben"))).toBe(false);
});

test("a shared place and a later greeting offer none", async () => {
  await office.open(group, "members");
  await office.sink(command(ada, "team", "add Penny, a bookkeeper", { place: group }));
  await pressed("Create", ada, { place: group });
  expect(await labels()).not.toContain(offer);
  await office.sink(command(ada, "team", "add Rosa, a gardener"));
  await pressed("Create");
  expect(await labels()).not.toContain(offer);
});
