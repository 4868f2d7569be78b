import { beforeEach, expect, test, vi } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { filled, group, message, person, press } from "../inbox/office.ts";
import { claimed, useOffice } from "../inbox/scene.ts";

const office = await useOffice(claimed);
let attentionId = "";
const ben = person("ben", "Ben");

beforeEach(async () => {
  office.can({ forms: true });
  await office.open(group, "members");
  const requester = await office.hire(ben, "member");
  await office.sink(message(ben, "Publish it.", { place: group, addressed: "mention" }));
  const [delivery] = await office.db.selectFrom("deliveries").selectAll().execute();
  if (!delivery) throw new Error("nothing was delivered");
  const { teammate_id, conversation_id } = delivery;
  const runId = newId();
  await office.db
    .insertInto("runs")
    .values({ id: runId, teammate_id, conversation_id, trigger: "message", status: "running", computer: "c" })
    .execute();
  const { id } = await office.unit((unit) =>
    office.attention.open(unit, {
      kind: "approval",
      teammate: { id: teammate_id, name: "Milo" },
      runId,
      conversationId: conversation_id,
      requester,
      to: { connectionId: office.connectionId, address: { channel: group.channel }, placeKind: "group" },
      method: "request_approval",
      details: { kind: "request_approval", title: "publish the report", details: "All of it.", reversible: true },
      risk: "normal",
    }),
  );
  attentionId = id;
});

async function button(label: string) {
  const found = (await office.posts()).flatMap((post) => post.buttons).find((each) => each.label === label);
  if (!found) throw new Error(`there is no ${label}`);
  return found;
}

async function told(interactionId: string): Promise<string | undefined> {
  await vi.waitFor(() => expect(office.answers.some((each) => each.interactionId === interactionId)).toBe(true));
  return office.answers.find((each) => each.interactionId === interactionId)?.text;
}

const decision = async () => (await office.attention.get(office.db, attentionId))?.decision ?? null;

test("what somebody wrote into the form denies, and goes along as the reason", async () => {
  const { token, opensForm } = await button("Deny…");
  expect(opensForm).toBe(true);
  expect(await office.inbox.form(office.connectionId, token, "ben")).toMatchObject({ label: "Why? Milo reads this" });
  const event = filled(ben, token, "Not before Monday.", { place: group });
  await office.sink(event);
  expect(await told(event.interaction.id)).toBe("Denied. Milo gets your note.");
  expect(await decision()).toMatchObject({ choice: "deny", by: { name: "Ben" }, note: "Not before Monday." });
  expect(await office.inbox.form(office.connectionId, token, "ben")).toBeUndefined();
});

test("F-28 a form of somebody who may not decide changes nothing", async () => {
  const { token } = await button("Deny…");
  await office.hire(person("other-ada", "Ada"), "member");
  expect(await office.inbox.form(office.connectionId, token, "other-ada")).toBeUndefined();
  const event = filled(person("other-ada", "Ada"), token, "No.", { place: group });
  await office.sink(event);
  expect(await told(event.interaction.id)).toBe("Only Ben or a manager can decide this.");
  expect(await office.outcome(event.key)).toBe("refused");
  expect(await decision()).toBeNull();
});

test("a form that did not open in time decides nothing, and can be asked for again", async () => {
  const { token } = await button("Deny…");
  const event = press(ben, token, { place: group });
  await office.sink(event);
  expect(await told(event.interaction.id)).toBe("That took a moment too long. Please press it again.");
  expect(await decision()).toBeNull();
});

test("F-29 a form filled in after a decision says who decided", async () => {
  const { token } = await button("Deny…");
  await office.sink(press(ben, (await button("Approve")).token, { place: group }));
  const event = filled(ben, token, "No!", { place: group });
  await office.sink(event);
  expect(await told(event.interaction.id)).toContain("already approved this");
  expect(await decision()).toMatchObject({ choice: "approve" });
});
