import { access } from "node:fs/promises";
import { expect, it } from "vitest";
import { say, shell } from "../fakes/model/index.ts";
import { openWorkshop } from "./workshop.ts";

it.each([
  ["stays in the sandbox on a computer that is not marked isolated", false],
  ["leaves the sandbox on a computer that is marked isolated", true],
])("a teammate with full access %s", async (_name, isolated) => {
  await using shop = await openWorkshop();
  await shop.db.updateTable("teammates").set({ autonomy: "autonomous", access: "full" }).execute();
  const life = await shop.start({ isolated });
  const room = await shop.room("dm");
  // Not below /tmp, which the sandbox leaves open.
  const outside = `${shop.home}/outside-${isolated}.txt`;
  shop.model.enqueue([shell(`touch ${outside}`)], [say("Tried it.")]);
  await shop.say(life, room, shop.ada, "Touch it.");
  await shop.shows(room, "Tried it.");
  const made = await access(outside).then(
    () => true,
    () => false,
  );
  expect(made).toBe(isolated);
});
