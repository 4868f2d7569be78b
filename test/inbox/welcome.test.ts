import { expect, test } from "vitest";
import { asked } from "./colleagues.ts";
import { ada, command, dm, group, message, person } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");
const { latest, pressed, labels, fill } = lastCard(office);

const last = async () => (await office.texts()).at(-1);
async function hirePenny(): Promise<void> {
  await office.sink(command(ada, "team", "add Penny, a bookkeeper who checks invoices"));
  await pressed("Create");
}
const greetings = async () => (await office.texts()).filter((text) => text.includes("is glad to meet you"));

test("who joins offers three first tasks that fit the job, and says how to ask for something else", async () => {
  await hirePenny();
  expect(await last()).toBe(
    "**Penny** joined: Bookkeeper. What should Penny do first? Press one, or write: /ask Penny …",
  );
  expect(await labels()).toEqual([
    "Check an invoice for mistakes",
    "Make a simple budget table",
    "List what you need to start",
  ]);
});

test("a job nobody foresaw gets three tasks that fit any", async () => {
  await office.sink(command(ada, "team", "add Penny, a beekeeper who likes honey"));
  await pressed("Create");
  expect(await labels()).toHaveLength(3);
  expect(await labels()).toContain("What can you do for me?");
});

test("a first task goes to the newcomer, and the greeting offers the others", async () => {
  await hirePenny();
  await pressed("Check an invoice for mistakes");
  expect(await asked(office)).toEqual(["Penny"]);
  expect((await office.messages()).map(({ text }) => text)).toEqual(["Check an invoice for mistakes"]);
  expect(await labels()).toEqual(["Make a simple budget table", "List what you need to start"]);
  await pressed("List what you need to start");
  await pressed("Make a simple budget table");
  expect(await latest()).toMatchObject({ buttons: [], text: "**Penny** joined: Bookkeeper. To ask: /ask Penny …" });
  expect(await asked(office)).toEqual(["Penny", "Penny", "Penny"]);
});

test("somebody else's first message in a direct message is greeted once, and taken up all the same", async () => {
  await hirePenny();
  await office.hire(ben, "member");
  await office.sink(message(ben, "Penny, pay this"));
  expect(await greetings()).toHaveLength(1);
  expect(await last()).toBe(
    "**Penny**, Bookkeeper, is glad to meet you. Press one to try something, or write: /ask Penny …",
  );
  await office.sink(message(ben, "Penny, and this"));
  await office.sink(command(ben, "ask", "Penny"));
  expect(await greetings()).toHaveLength(1);
  expect(await asked(office)).toEqual(["Penny", "Penny"]);
});

test("whoever made a colleague is not greeted by it again", async () => {
  await hirePenny();
  await office.sink(message(ada, "Penny, pay this"));
  expect(await greetings()).toEqual([]);
});

test("the name alone is a way to meet somebody, once", async () => {
  await hirePenny();
  await office.hire(ben, "member");
  await office.sink(command(ben, "ask", "Penny"));
  expect(await greetings()).toHaveLength(1);
  await office.sink(command(ben, "ask", "Penny"));
  expect(await greetings()).toHaveLength(1);
  expect(await last()).toMatch(/^Whom, and what\?/);
});

test("in a shared place nobody is greeted for a message", async () => {
  await office.open(group, "members");
  await hirePenny();
  await office.hire(ben, "member");
  await office.sink(message(ben, "Penny, pay this", { place: group }));
  expect(await greetings()).toEqual([]);
});

test("messages that come at once are greeted once", async () => {
  await hirePenny();
  await office.hire(ben, "member");
  await Promise.all(["a", "b", "c"].map((text) => office.sink(message(ben, `Penny, ${text}`))));
  expect(await greetings()).toHaveLength(1);
});

test("Milo is greeted by nobody twice: the first greeting was Milo's", async () => {
  await office.hire(ben, "member");
  await office.sink(message(ben, "hello"));
  expect(await greetings()).toEqual([]);
});

test("only the one who is greeted presses a first task", async () => {
  await office.open(group, "members");
  await office.hire(ben, "member");
  await office.sink(command(ada, "team", "add Penny, a bookkeeper", { place: group }));
  await pressed("Create", ada, { place: group });
  const [task] = await labels();
  await pressed(task ?? "", ben, { place: group });
  expect(await asked(office)).toEqual([]);
});

test("Duplicate asks for a name and greets with the first tasks of the original", async () => {
  await hirePenny();
  const offered = await labels();
  await office.sink(command(ada, "agent", "Penny"));
  await pressed("More");
  expect(await fill("Duplicate", "Milo")).toMatch(/^Somebody here has that name already/);
  await fill("Duplicate", "Rosa");
  expect(await last()).toMatch(/^\*\*Rosa\*\* joined: Bookkeeper\./);
  expect(await labels()).toEqual(offered);
  const rosa = await office.deps.teammates.byHandle(office.db, "rosa");
  expect(rosa).toMatchObject({ title: "Bookkeeper", job: "Penny, a bookkeeper who checks invoices" });
});

test("a stranger where everybody may ask is not greeted", async () => {
  await office.open(dm(ben), "everyone");
  await hirePenny();
  await office.sink(message(ben, "Penny, hello"));
  expect(await greetings()).toEqual([]);
});
