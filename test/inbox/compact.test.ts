import { expect, test } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { startRun } from "./colleagues.ts";
import { ada, command, group, message, person } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

const said = async () => (await office.texts()).at(-1) ?? "";
const tidyings = () => office.db.selectFrom("deliveries").selectAll().where("trigger", "=", "compact").execute();

/** Ada asked something, and the turn for it completed. */
async function answered(): Promise<string> {
  await office.sink(message(ada, "hello"));
  const { conversation_id } = await office.db
    .selectFrom("deliveries")
    .select("conversation_id")
    .executeTakeFirstOrThrow();
  await office.db.updateTable("deliveries").set({ status: "completed" }).execute();
  const made = { tools_fingerprint: "f", instructions_hash: "h", provider: "p", status: "active" } as const;
  await office.db
    .insertInto("codex_threads")
    .values({ ...made, id: newId(), conversation_id, codex_thread_id: "t" })
    .execute();
  return conversation_id;
}

test("/compact puts tidying up in line, once, in the name of whoever asked, and says nothing yet", async () => {
  const conversationId = await answered();
  const before = await office.texts();
  const event = command(ada, "compact");
  await office.sink(event);
  await office.sink(event);
  const rows = await tidyings();
  expect(rows).toMatchObject([{ conversation_id: conversationId, status: "queued" }]);
  expect(rows[0]?.requester_person_id).not.toBeNull();
  expect(await office.texts()).toEqual(before);
});

test("/compact is refused kindly while something runs or waits there", async () => {
  await answered();
  await office.sink(message(ada, "more"));
  await office.sink(command(ada, "compact"));
  expect(await said()).toBe("Milo is working here right now. Send /compact again once that is done.");
  await startRun(office);
  await office.sink(command(ada, "compact"));
  expect(await said()).toBe("Milo is working here right now. Send /compact again once that is done.");
  expect(await tidyings()).toEqual([]);
});

test("/compact where nothing was said yet, or after /new, says there is nothing to tidy up", async () => {
  await office.sink(command(ada, "compact"));
  expect(await said()).toBe("There is nothing to tidy up here yet.");
  await answered();
  await office.sink(command(ada, "new"));
  await office.sink(command(ada, "compact"));
  expect(await said()).toBe("There is nothing to tidy up here yet.");
  expect(await tidyings()).toEqual([]);
});

test("/compact in a channel, where each message begins a thread, says where it belongs", async () => {
  const channel = { channel: "C1", kind: "channel", title: "#ops" } as const;
  await office.open(channel, "members");
  await office.sink(command(ada, "compact", "", { place: channel }));
  expect(await said()).toBe("Each thread is a conversation of its own. Use this inside the one you mean.");
});

test("a stranger tidies up nothing", async () => {
  await office.open(group, "everyone");
  await office.sink(command(person("eve", "Eve"), "compact", "", { place: group }));
  expect(await tidyings()).toEqual([]);
});
