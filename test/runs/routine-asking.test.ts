import { describe, expect, it, vi } from "vitest";
import { call, say, shell } from "../fakes/model/index.ts";
import { pressIn } from "./pressing.ts";
import { useRoutineShop } from "./routine-scene.ts";

const { shop, life, scene } = await useRoutineShop();
const dmOfBen = { channel: "dm-ben" };

const branch = { header: "Branch", question: "Which branch?", options: [{ label: "main" }, { label: "next" }] };
const ask = () => call("shipmate", "ask_user", { questions: [branch] });

describe("a routine's run that asks", () => {
  it("F-34 needs attention: it asks where it was made and in its author's private chat, and goes on with the answer", async () => {
    const room = await shop.room("channel", "ops");
    const routine = await scene.make(room, {}, shop.ben);
    shop.model.enqueue([ask()], [say("Built from next.")]);
    await scene.fallDue(routine);
    await scene.stands(routine, "needs_attention");
    const home = await shop.shows(room, "Which branch?");
    const copy = await shop.shows(dmOfBen, "Which branch?");
    expect(home.notify && copy.notify).toBe(true);
    await pressIn({ shop, life }, { ...room, ...dmOfBen }, { on: "Which branch?", label: "next", by: shop.ben });
    await shop.shows(room, "Built from next.");
    await scene.stands(routine, "succeeded");
    await vi.waitFor(() => {
      for (const { channel } of [room, dmOfBen]) {
        const card = shop.platform.seen(channel).find(({ text }) => text.includes("Which branch?"));
        expect(card?.buttons).toEqual([]);
      }
    });
  });

  it("asks once where it was made in its author's private chat", async () => {
    const room = { ...(await shop.room("dm")), ...dmOfBen };
    await shop.db.updateTable("places").set({ channel: dmOfBen.channel }).where("id", "=", room.placeId).execute();
    const routine = await scene.make(room, {}, shop.ben);
    const before = scene.posted(room).filter((text) => text.includes("Which branch?")).length;
    shop.model.enqueue([ask()], [say("Built from main.")]);
    await scene.fallDue(routine);
    await scene.stands(routine, "needs_attention");
    const open = () =>
      shop.platform
        .seen(room.channel)
        .find(({ text, buttons }) => text.includes("Which branch?") && buttons.length > 0);
    await vi.waitFor(() => expect(open()).toBeDefined());
    const button = open()?.buttons.find(({ label }) => label.startsWith("main"));
    await shop.unit((unit) => life.attention.press(unit, button?.token ?? "", shop.ben));
    await shop.shows(room, "Built from main.");
    expect(scene.posted(room).filter((text) => text.includes("Which branch?"))).toHaveLength(before + 1);
  });

  it("has its author's rights: a command waits for them, or for a manager", async () => {
    await shop.db.updateTable("teammates").set({ autonomy: "ask_all" }).execute();
    const room = await shop.room("channel", "ops");
    const routine = await scene.make(room, {}, shop.ben);
    const carl = await shop.hire("Carl", "member");
    shop.model.enqueue([shell("touch asked.txt")], [say("Touched it.")]);
    await scene.fallDue(routine);
    await shop.shows(dmOfBen, "touch asked.txt");
    const refused = await pressIn({ shop, life }, room, { on: "touch asked.txt", label: "Approve", by: carl });
    expect(refused).not.toMatchObject({ kind: "done" });
    await pressIn({ shop, life }, room, { on: "touch asked.txt", label: "Approve", by: shop.ben });
    await shop.shows(room, "Touched it.");
    await scene.stands(routine, "succeeded");
    await shop.db.updateTable("teammates").set({ autonomy: "ask_consequential" }).execute();
  });
});
