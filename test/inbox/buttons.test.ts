import { expect, test, vi } from "vitest";
import { issueTokens, type NewTokens } from "../../src/attention/index.ts";
import type { Author } from "../../src/chat/index.ts";
import { newId } from "../../src/shared/index.ts";
import { startRun } from "./colleagues.ts";
import { ada, dm, message, person, stranger } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

const ben = person("ben", "Ben");

async function token(action: string, payload: object, more: Partial<NewTokens> = {}): Promise<string> {
  const made = await office.unit((unit) => issueTokens(unit, { choices: [{ key: "it", action, payload }], ...more }));
  return made.it ?? "";
}

/** Presses, and gives back what the presser was told and what became of it. */
async function press(author: Author, pressed: string): Promise<{ told: string | undefined; outcome: string }> {
  const interaction = { id: newId() };
  const event = {
    kind: "button",
    key: interaction.id,
    place: dm(author),
    author,
    messageId: "m",
    token: pressed,
  } as const;
  await office.sink({ ...event, interaction });
  await vi.waitFor(() => expect(office.answers.some((each) => each.interactionId === interaction.id)).toBe(true));
  const told = office.answers.find((each) => each.interactionId === interaction.id)?.text;
  return { told, outcome: await office.outcome(event.key) };
}

/** A finished or running turn on a message of Ada's. */
async function addRun(status: "running" | "failed"): Promise<string> {
  await office.sink(message(ada, "build it"));
  return startRun(office, { status });
}

test("F-31 a press is answered even when the button is unknown", async () => {
  const { told, outcome } = await press(ada, "no such token");
  expect(told).toMatch(/./);
  expect(outcome).toBe("unknown_button");
});

test("F-31 a platform that is slow to take the answer holds nothing up", async () => {
  office.hangAnswers();
  const event = { kind: "button", key: "slow", place: dm(ada), author: ada, messageId: "m", token: "x" } as const;
  await office.sink({ ...event, interaction: { id: "slow" } });
  expect(await office.outcome("slow")).toBe("unknown_button");
});

test("the same press delivered again stops the spinner and changes nothing", async () => {
  const key = await token("first_task", { text: "hello" });
  const event = { kind: "button", key: "twice", place: dm(ada), author: ada, messageId: "m", token: key } as const;
  await office.sink({ ...event, interaction: { id: "one" } });
  await office.sink({ ...event, interaction: { id: "two" } });
  await vi.waitFor(() => expect(office.answers.map((each) => each.interactionId)).toEqual(["one", "two"]));
  expect(await office.deliveries()).toHaveLength(1);
});

test("a first task acts as if the person had written it", async () => {
  const [greeting] = await office.posts();
  const button = greeting?.buttons[0];
  await press(ada, button?.token ?? "");
  expect(await office.messages()).toMatchObject([{ text: button?.label, authorName: "Ada" }]);
  expect(await office.deliveries()).toHaveLength(1);
});

test("each first task works once, and trying one leaves the others", async () => {
  const tokens = (await office.posts())[0]?.buttons.map((button) => button.token) ?? [];
  for (const each of [...tokens, ...tokens]) await press(ada, each);
  expect(await office.deliveries()).toHaveLength(3);
});

test("the greeting goes on offering what was not tried yet", async () => {
  const [greeting] = await office.posts();
  await press(ada, greeting?.buttons[1]?.token ?? "");
  const after = (await office.posts()).find(({ op }) => op === "edit");
  expect(after?.text).toBe(greeting?.text);
  expect(after?.buttons.map(({ label }) => label)).toEqual([
    "What can you do for me?",
    "Compare three note apps",
    "Check in on weekdays at 9:00",
  ]);
});

test("a first task is for the one who was greeted", async () => {
  await office.hire(ben, "member");
  const button = (await office.posts())[0]?.buttons[0];
  const { outcome } = await press(ben, button?.token ?? "");
  expect(outcome).toBe("refused");
  expect(await office.deliveries()).toHaveLength(0);
});

test("Stop stops its run", async () => {
  const runId = await addRun("running");
  const { told } = await press(ada, await token("stop", { runId }, { runId }));
  expect(told).toBe("Stopping.");
  expect(await office.stops()).toEqual([{ runId, by: "Ada" }]);
});

test("Try again puts the same message into the mailbox once more, however often it is pressed", async () => {
  const runId = await addRun("failed");
  const notice = "Milo couldn't finish.";
  const button = await token("retry", { runId, said: notice });
  const first = await press(ada, button);
  expect(first.told).toBe("Trying again.");
  expect((await office.posts()).at(-1)).toMatchObject({ op: "edit", text: notice, buttons: [] });
  expect((await press(ada, button)).told).toMatch(/^You already used this at/);
  expect((await press(ben, button)).told).not.toMatch(/^You/);
  await press(ada, await token("retry", { runId }));
  const statuses = (await office.deliveries()).map((each) => each.status);
  expect(statuses).toEqual(["failed", "queued"]);
  expect(await office.messages()).toHaveLength(1);
});

test("Cancel takes a waiting message out of line", async () => {
  await office.sink(message(ada, "later"));
  const [delivery] = await office.deliveries();
  const { told } = await press(ada, await token("cancel_queued", { deliveryId: delivery?.id }));
  expect(told).toBe("1 waiting message cancelled.");
  expect((await office.deliveries())[0]?.status).toBe("cancelled");
});

test("Cancel comes too late once the work has begun", async () => {
  await office.sink(message(ada, "later"));
  await office.db.updateTable("deliveries").set({ status: "running" }).execute();
  const [delivery] = await office.deliveries();
  const { told } = await press(ada, await token("cancel_queued", { deliveryId: delivery?.id }));
  expect(told).toBe("That is no longer waiting.");
});

test("where an answer is one more message, what the card shows is not said again", async () => {
  office.can({ answersStay: true });
  const runId = await addRun("running");
  expect((await press(ada, await token("stop", { runId }, { runId }))).told).toBeUndefined();
  await office.sink(message(ada, "later"));
  await office.db.updateTable("deliveries").set({ status: "running" }).execute();
  const [delivery] = await office.deliveries();
  const late = await press(ada, await token("cancel_queued", { deliveryId: delivery?.id }));
  expect(late.told).toBe("That is no longer waiting.");
});

test("a member cannot cancel what somebody else waits for", async () => {
  await office.hire(ben, "member");
  await office.sink(message(ada, "later"));
  const [delivery] = await office.deliveries();
  const { outcome } = await press(ben, await token("cancel_queued", { deliveryId: delivery?.id }));
  expect(outcome).toBe("refused");
  expect((await office.deliveries())[0]?.status).toBe("queued");
});

test("F-28 a stranger presses nothing", async () => {
  await office.sink(message(ada, "later"));
  const [delivery] = await office.deliveries();
  const { outcome } = await press(stranger, await token("cancel_queued", { deliveryId: delivery?.id }));
  expect(outcome).not.toBe("handled");
  expect((await office.deliveries())[0]?.status).toBe("queued");
});

test("an action of another release is refused in words", async () => {
  const { told, outcome } = await press(ada, await token("constructor", {}));
  expect(outcome).toBe("unknown_button");
  expect(told).toBe("This button no longer works.");
});
