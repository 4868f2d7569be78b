import { describe, expect, it } from "vitest";
import { call, say, shell } from "../fakes/model/index.ts";
import { pressIn } from "./pressing.ts";
import { type MadeRoutine, useRoutineShop } from "./routine-scene.ts";
import type { Room } from "./workshop.ts";

const { shop, life, scene } = await useRoutineShop();

const marker = "[[no-update]]";
const noUpdate = () => call("shipmate", "routine_no_update");

/** A later run that does report: whatever the one before had posted would be there by then. */
async function nothingBut(routine: MadeRoutine, room: Room, report = "Now there is something."): Promise<void> {
  shop.model.enqueue([say(report)]);
  await scene.runNow(routine, "manual");
  await shop.shows(room, report);
  expect(scene.posted(room)).toEqual([`**${routine.name}**\n\n${report}`]);
}

describe("a routine's run with nothing new", () => {
  it.each([
    ["answers with the marker alone", [[say(` ${marker}\n`)]]],
    ["calls the tool and says nothing", [[noUpdate()], [say("")]]],
    ["calls the tool and ends with the marker", [[noUpdate()], [say(marker)]]],
    ["calls the tool and makes talk", [[noUpdate()], [say("All quiet, so I ended it.")]]],
  ])("posts nothing when the teammate %s", async (_how, replies) => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    shop.model.enqueue(...replies);
    await scene.fallDue(routine);
    expect(await scene.stands(routine, "succeeded")).toMatchObject({ quiet: true, failure: null });
    await nothingBut(routine, room);
    expect((await shop.runs()).map(({ reply }) => reply)).toContain(null);
  });

  it("tells whoever pressed Run now, without a sound, that there is nothing new", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    shop.model.enqueue([say(marker)]);
    await scene.runNow(routine, "manual");
    await shop.shows(room, "Nothing new.");
    expect(await scene.stands(routine, "succeeded")).toMatchObject({ quiet: true });
    expect(scene.posted(room)).toEqual([`**${routine.name}**\n\nNothing new.`]);
  });

  it("F-47 says so in words in a test run, by the tool or the marker, which nobody ever reads", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    shop.model.enqueue([say(marker)]);
    await scene.runNow(routine, "test");
    await shop.shows(room, "Nothing new.");
    expect(await scene.stands(routine, "succeeded")).toMatchObject({ quiet: false });
    shop.model.enqueue([noUpdate()], [say("I looked: nothing.")]);
    await scene.runNow(routine, "test");
    await shop.shows(room, "I looked: nothing.");
    expect(shop.model.requests.at(-1)?.lastOutput).toContain("test run");
    expect(JSON.stringify(shop.platform.calls)).not.toContain("no-update");
  });

  it("reports all the same when it made a file", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    shop.model.enqueue(
      [shell("echo 1 > numbers.csv")],
      [call("shipmate", "attach_files_to_response", { files: [{ path: "numbers.csv" }] })],
      [noUpdate()],
      [say(marker)],
    );
    await scene.fallDue(routine);
    await shop.shows(room, "Nothing new.");
    expect(await scene.stands(routine, "succeeded")).toMatchObject({ quiet: false });
    await expect.poll(() => shop.platform.seen(room.channel).map(({ file }) => file)).toContain("numbers.csv");
  });

  it("reports all the same when somebody was asked", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    const questions = [{ header: "Branch", question: "Which branch?", options: [{ label: "main" }] }];
    shop.model.enqueue([call("shipmate", "ask_user", { questions })], [say(marker)]);
    await scene.fallDue(routine);
    await pressIn({ shop, life }, room, { on: "Which branch?", label: "main", by: shop.ada });
    await shop.shows(room, "Nothing new.");
    expect(await scene.stands(routine, "succeeded")).toMatchObject({ quiet: false });
  });

  it("F-47 is a report when the marker stands in a longer answer, without the marker", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    shop.model.enqueue([say(`One thing is new: it rains.\n\n${marker}`)]);
    await scene.fallDue(routine);
    await shop.shows(room, "One thing is new");
    expect(await scene.stands(routine, "succeeded")).toMatchObject({ quiet: false });
    expect(scene.posted(room)).toEqual([`**${routine.name}**\n\nOne thing is new: it rains.`]);
  });

  it("F-47 means nothing where people speak: the marker is no answer there", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([say(marker)]);
    await shop.say(life, room, shop.ada, "Anything new?");
    await shop.shows(room, "Milo is done and had nothing to add.");
    expect(JSON.stringify(shop.platform.calls)).not.toContain("no-update");
  });
});

describe("a routine's run that the teammate says went wrong", () => {
  const failed = (reason: string) => call("shipmate", "routine_report_failure", { reason });

  it("posts the reason above what there is, once the turn is over, and counts as failed", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    shop.model.enqueue([failed("The tracker did not answer.")], [say("Yesterday there were two.")]);
    await scene.fallDue(routine);
    await shop.shows(room, "Yesterday there were two.");
    const run = await scene.stands(routine, "failed");
    expect(run).toMatchObject({ quiet: false, failure: "The tracker did not answer." });
    expect(scene.posted(room)).toEqual([
      `**${routine.name}**\n\n⚠ Couldn't finish: The tracker did not answer.\n\nYesterday there were two.`,
    ]);
    shop.model.enqueue([say("Two again.")]);
    await scene.fallDue(routine);
    await shop.shows(room, "Two again.");
    expect(scene.asked(routine).at(-1)?.lastUserText).toContain("Couldn't finish: The tracker did not answer.");
  });

  it("is never quiet, whatever was called besides", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    shop.model.enqueue([failed("No access.")], [noUpdate()], [say(marker)]);
    await scene.fallDue(routine);
    await shop.shows(room, "Couldn't finish: No access.");
    expect(await scene.stands(routine, "failed")).toMatchObject({ quiet: false });
    expect(scene.posted(room)).toEqual([`**${routine.name}**\n\n⚠ Couldn't finish: No access.`]);
  });

  it("ends with a reason that no database stores: somebody else may have written it", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    shop.model.enqueue([failed("The tracker\0 said \u0007no.")], [say("Nothing else is known.")]);
    await scene.fallDue(routine);
    await shop.shows(room, "Nothing else is known.");
    expect(await scene.stands(routine, "failed")).toMatchObject({ failure: "The tracker said no." });
  });

  it("F-66 shows and keeps no secret of the reason", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    const key = `sk-proj-${"a1B2c3D4".repeat(6)}`;
    shop.model.enqueue([failed(`The key ${key} was refused.`)], [say("Nothing to show.")]);
    await scene.fallDue(routine);
    await shop.shows(room, "Nothing to show.");
    const run = await scene.stands(routine, "failed");
    expect(`${run.failure} ${JSON.stringify(scene.posted(room))}`).not.toContain("a1B2c3D4");
  });
});
