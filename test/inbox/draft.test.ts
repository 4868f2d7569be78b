import { expect, test } from "vitest";
import { type AskForJson, improveDraft } from "../../src/inbox/index.ts";
import { silentLog } from "../../src/shared/index.ts";
import { ada, command, group, press } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const { latest, pressed, labels, token, fill } = lastCard(office);

const better = {
  name: "Rosa",
  title: "Invoice checker",
  job: "Checks every invoice against its order.",
  first_tasks: ["Check last week's invoices", "List open orders", "Explain a deduction"],
};

/** As the worker does it, with what a model answers. */
async function improve(ask: AskForJson = async () => better): Promise<void> {
  const [draft] = await office.db.selectFrom("teammate_drafts").select("id").orderBy("created_at", "desc").execute();
  const { db, outbox, teammates, clock } = office.deps;
  await improveDraft({ db, outbox, teammates, clock, log: silentLog, ask }, draft?.id ?? "");
}

const addPenny = () => office.sink(command(ada, "team", "add Penny, a bookkeeper who checks invoices"));

test("a model's better draft takes the place of the first one, with the name somebody gave", async () => {
  await addPenny();
  const before = (await office.posts()).length;
  await improve(async ({ input, instructions }) => {
    expect(JSON.parse(input)).toEqual({ sentence: "add Penny, a bookkeeper who checks invoices" });
    expect(instructions).not.toContain("Penny");
    return better;
  });
  expect((await office.posts()).slice(before)).toMatchObject([{ op: "edit", purpose: "card" }]);
  expect((await latest()).text).toContain("- **Name:** Penny\n- **Title:** Invoice checker\n- **Job:** Checks every");
  await pressed("Create");
  expect(await office.deps.teammates.byHandle(office.db, "penny")).toMatchObject({
    title: better.title,
    job: better.job,
  });
  expect(await labels()).toEqual(better.first_tasks);
});

test("a draft without a name gets the one that the model finds", async () => {
  await office.sink(command(ada, "team", "add a bookkeeper"));
  await improve();
  expect(await labels()).toContain("Create");
  expect((await latest()).text).toContain("- **Name:** Rosa");
});

const unusable: readonly (readonly [what: string, answer: unknown])[] = [
  ["no profile", "hello"],
  ["a title too long", { ...better, title: "t".repeat(121) }],
  ["a title on two lines", { ...better, title: "Book\nkeeper" }],
  ["two first tasks", { ...better, first_tasks: ["a", "b"] }],
  ["a first task too long for a button", { ...better, first_tasks: ["a", "b", "c".repeat(41)] }],
  ["something nobody asked for", { ...better, access: "full" }],
];
for (const [what, answer] of unusable) {
  test(`an answer with ${what} changes nothing`, async () => {
    await addPenny();
    const before = await office.posts();
    await improve(async () => answer);
    expect(await office.posts()).toEqual(before);
    await pressed("Create");
    expect(await office.deps.teammates.byHandle(office.db, "penny")).toMatchObject({ title: "Bookkeeper" });
  });
}

test("without a model the first draft stands, and nobody hears of it", async () => {
  await addPenny();
  const before = await office.posts();
  await improve(() => Promise.reject(new Error("no account")));
  expect(await office.posts()).toEqual(before);
});

const touches: readonly (readonly [what: string, touch: () => Promise<unknown>])[] = [
  ["edited", () => fill("Edit title", "Auditor")],
  ["created", () => pressed("Create")],
  ["cancelled", () => pressed("Cancel")],
];
for (const [what, touch] of touches) {
  test(`a draft that was ${what} meanwhile is left alone`, async () => {
    await addPenny();
    let after: unknown;
    await improve(async () => {
      await touch();
      after = await office.posts();
      return better;
    });
    expect(await office.posts()).toEqual(after);
  });
}

test("pressing Create on what stood there at first still makes one colleague", async () => {
  await addPenny();
  const first = await token("Create");
  await improve();
  const second = await token("Create");
  await office.sink(press(ada, first));
  await office.sink(press(ada, second));
  expect((await office.deps.teammates.list(office.db)).map(({ name }) => name)).toEqual(["Milo", "Penny"]);
});

test("a draft that one person sees stays theirs", async () => {
  await office.open(group, "members");
  office.can({ privatePosts: true });
  const more = { place: group, interaction: { id: "i1", payload: "p" } };
  await office.sink(command(ada, "team", "add Penny, a bookkeeper", more));
  await improve();
  expect(await latest()).toMatchObject({
    op: "edit",
    onlyFor: { userId: "ada", interaction: { id: "i1", payload: "p" } },
  });
});

test("an improvement that comes twice is shown once", async () => {
  await addPenny();
  await Promise.all([improve(), improve()]);
  expect((await office.posts()).filter(({ op }) => op === "edit")).toHaveLength(1);
});
