import { expect, test } from "vitest";
import type { AdapterHarness } from "./adapter.harness.ts";
import { everyTest, idIn, says, testsWhere } from "./adapter.stage.ts";

/** What became of a post is told as it is: delivered, not taken and why, or unknown. */
export function receipts(harness: AdapterHarness): void {
  const scene = everyTest(harness);
  const testWhere = testsWhere(harness);

  test("delivered, with the id by which people see it", async () => {
    const id = idIn(await scene.send(says("hello")));
    expect((await scene.stage.shown()).at(-1)?.id).toBe(id);
  });

  testWhere("rateLimit")("rate limited: not taken, and when to try again", async () => {
    scene.stage.faults.rateLimit?.();
    const receipt = await scene.send(says("hello"));
    expect(receipt).toMatchObject({ outcome: "failed", error: { kind: "rate_limited" } });
    expect(receipt.outcome === "failed" && receipt.error.retryAfterMs).toBeGreaterThan(0);
    expect(await scene.stage.shown()).toEqual([]);
    expect(await scene.send(says("hello"))).toMatchObject({ outcome: "delivered" });
  });

  testWhere("serverError")("an error of the server: never said to be delivered, never sent twice", async () => {
    scene.stage.faults.serverError?.();
    const receipt = await scene.send(says("hello"));
    expect(receipt.outcome).not.toBe("delivered");
    expect(await scene.stage.shown()).toEqual([]);
  });

  testWhere("loseResponse")("F-35 a lost response is unknown, and was sent once", async () => {
    scene.stage.faults.loseResponse?.();
    expect(await scene.send(says("hello"))).toMatchObject({ outcome: "unknown" });
    expect(await scene.stage.shown()).toHaveLength(1);
  });

  testWhere("gone")("F-45 a place that is gone", async () => {
    scene.stage.faults.gone?.();
    expect(await scene.send(says("hello"))).toMatchObject({ outcome: "failed", error: { kind: "gone" } });
  });

  testWhere("rejectFormatting")("F-42 formatting that is refused arrives as plain text", async () => {
    scene.stage.faults.rejectFormatting?.();
    expect(await scene.send(says("the **deploy** went fine"))).toMatchObject({ outcome: "delivered" });
    const shown = await scene.stage.shown();
    expect(shown).toHaveLength(1);
    expect(shown[0]?.text).toContain("went fine");
  });

  testWhere("reject")("content that is refused is a permanent failure", async () => {
    scene.stage.faults.reject?.();
    expect(await scene.send(says("hello"))).toMatchObject({ outcome: "failed", error: { kind: "rejected" } });
    expect(await scene.stage.shown()).toEqual([]);
  });

  for (const [whose, more] of [
    ["our own name", {}],
    ["a teammate's name", { persona: { name: "Milo" } }],
  ] as const) {
    testWhere("loseResponse", "idempotentPosts")(`F-35 a post in ${whose} that may be lost appears once`, async () => {
      const { stage } = scene;
      stage.faults.loseResponse?.();
      const first = await stage.adapter.post(stage.place, says("hello", more), "lost-key");
      expect(first.outcome).not.toBe("failed");
      const second = await stage.adapter.post(stage.place, says("hello", more), "lost-key", true);
      expect((await stage.shown()).map(({ id }) => id)).toEqual([idIn(second)]);
      // Somebody may well be told the same thing twice.
      await stage.adapter.post(stage.place, says("hello", more), "other-key");
      expect(await stage.shown()).toHaveLength(2);
    });
  }
}
