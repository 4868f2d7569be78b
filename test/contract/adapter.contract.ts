import { describe, expect, test } from "vitest";
import { catchingUp } from "./adapter.catching-up.ts";
import { choosing } from "./adapter.choosing.ts";
import { type AdapterHarness, misjudged } from "./adapter.harness.ts";
import { hearing } from "./adapter.hearing.ts";
import { ownThreads } from "./adapter.own-threads.ts";
import { receipts } from "./adapter.receipts.ts";
import { sharing } from "./adapter.sharing.ts";
import { showing } from "./adapter.showing.ts";
import { everyTest } from "./adapter.stage.ts";

export type { AdapterHarness, Shown, Stage } from "./adapter.harness.ts";

/** What every adapter owes the core, proven on its platform's stand-in. */
export function adapterContract(name: string, harness: AdapterHarness): void {
  describe(`${name}: the stage`, () => {
    const scene = everyTest(harness);
    test("offers all that the platform is not said to lack, and nothing of what it is", () => {
      expect(misjudged(scene.stage, harness.lacks)).toEqual([]);
    });
  });
  describe(`${name}: what people say`, () => hearing(harness));
  describe(`${name}: what was said while we were away`, () => catchingUp(harness));
  describe(`${name}: what we show`, () => showing(harness));
  describe(`${name}: what people choose and write`, () => choosing(harness));
  // A suite without a single test would be an error.
  if (!harness.lacks.includes("shared")) describe(`${name}: where several people are`, () => sharing(harness));
  if (!harness.lacks.includes("ownThreads")) describe(`${name}: threads of our own`, () => ownThreads(harness));
  describe(`${name}: what a receipt says`, () => receipts(harness));
}
