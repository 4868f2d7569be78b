import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import { openOffice, processesOf, restarted } from "./office.ts";

it("F-20 the built-in database and Codex are taken over after a kill, and nothing outlives the end", async () => {
  await using office = await openOffice({ database: "built in" });
  expect(existsSync(join(office.world.home, "postgres"))).toBe(true);
  const thinking = gate();
  const visit = await office.visit((_, turn) =>
    turn === 1 ? [say("A first thought.", { phase: "commentary" }), waitFor(thinking)] : undefined,
  );
  visit.ask();
  await thinking.reached;
  await office.kill();
  await expect.poll(() => processesOf(office.world.home), { timeout: 10_000 }).toEqual([]);

  await office.restart();
  const notice = await visit.hears(restarted);
  office.world.telegram.press(visit.person, notice, "Try again");
  await visit.hears(visit.answer);
  expect({ turns: visit.turns(), said: visit.said().length }).toEqual({ turns: 2, said: 2 });
  expect(await office.stop()).toBe(0);
  expect(await processesOf(office.world.home)).toEqual([]);
});
