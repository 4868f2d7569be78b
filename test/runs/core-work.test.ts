import { writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { call, gate, say, shell, waitFor } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  shop = await openWorkshop();
  life = await shop.start({ maxConcurrentRuns: 1 });
});

afterEach(() => shop.model.reset());

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

describe("the server's slots", () => {
  it("hold a second lane back, say so, and pass on to it as soon as one is free", async () => {
    const [one, two] = [await shop.room("dm"), await shop.room("dm")];
    const held = gate();
    shop.model.enqueue([waitFor(held), say("One.")], [say("Two.")]);
    await shop.say(life, one, shop.ada, "First.");
    await held.reached;
    const second = await shop.say(life, two, shop.ben, "Second.");
    await shop.shows(two, "In line: Milo starts as soon as another task here is done.");
    expect(await shop.delivery(second.deliveryId)).toMatchObject({ status: "queued", holdReason: "server-busy" });
    const status = await life.worker.status(shop.db);
    expect(status).toMatchObject({ codex: "ready", queued: 1, maxConcurrentRuns: 1 });
    expect(status.running.map((each) => [each.teammateName, each.requesterName, each.status])).toEqual([
      ["Milo", "Ada", "running"],
    ]);
    held.open();
    await shop.shows(one, "One.");
    await shop.shows(two, "Two.");
    await vi.waitFor(() => expect(shop.platform.texts(two.channel)).toEqual(["Two."]));
  });

  it("are not held by a run that waits for a person", async () => {
    const [one, two] = [await shop.room("dm"), await shop.room("dm")];
    await shop.db.updateTable("teammates").set({ autonomy: "ask_all" }).execute();
    shop.model.enqueue([shell("touch asked.txt")]);
    const first = await shop.say(life, one, shop.ada, "Touch it.");
    await shop.shows(one, "Milo asks");
    shop.model.enqueue([say("Two.")]);
    await shop.say(life, two, shop.ben, "Second.");
    await shop.shows(two, "Two.");
    const { runId } = await shop.delivery(first.deliveryId);
    await shop.unit((unit) => life.worker.stopRun(unit, runId ?? "", shop.ada));
    await shop.shows(one, "Stopped by Ada.");
    await shop.db.updateTable("teammates").set({ autonomy: "ask_consequential" }).execute();
  });
});

describe("a file the teammate sends", () => {
  it("is posted beneath the answer", async () => {
    const room = await shop.room("dm");
    await writeFile(`${shop.home}/workspaces/milo/report.txt`, "42\n");
    shop.model.enqueue(
      [call("shipmate", "attach_files_to_response", { files: [{ path: "report.txt", caption: "The numbers" }] })],
      [say("Here.")],
    );
    await shop.say(life, room, shop.ada, "The report, please.");
    await vi.waitFor(() => {
      const seen = shop.platform.seen(room.channel);
      expect(seen.map((each) => each.file ?? each.text)).toEqual(["Here.", "report.txt"]);
    }, 10_000);
  });
});

describe("the answer", () => {
  it("is the final message, never the notes on the way", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue(
      [say("I look first.", { phase: "commentary" }), shell("true")],
      [say("The result.", { phase: "final_answer" })],
    );
    await shop.say(life, room, shop.ada, "Please.");
    await shop.shows(room, "The result.");
    await vi.waitFor(() => expect(shop.platform.texts(room.channel)).toEqual(["The result."]), 10_000);
  });

  it("says that there is nothing to add where the teammate said nothing", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([say("")]);
    await shop.say(life, room, shop.ada, "Do it quietly.");
    await shop.shows(room, "Milo is done and had nothing to add.");
  });
});
