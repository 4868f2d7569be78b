import { expect, test } from "vitest";
import { wordsFor } from "../../src/words/index.ts";
import { addTeammate, startRun } from "./colleagues.ts";
import { ada, command, group, message, person, press, stranger } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

const ben = person("ben", "Ben");

const { latest, token, pressed, fill, labels } = lastCard(office);

function addRun(status: "running" | "waiting" = "running"): Promise<string> {
  return startRun(office, { status, startedAt: new Date(Date.now() - 130_000) });
}

test("/team says who works here and what each is doing", async () => {
  await addTeammate(office);
  await office.sink(message(ada, "build the site"));
  await addRun();
  await office.sink(command(ada, "team"));
  expect((await latest()).text).toBe(
    [
      "- **Milo**, General helper · works for Ada · 2 min",
      "- **Penny**, Bookkeeper · free",
      "",
      "To ask one: /ask Milo …",
      "",
      "To add one: /team add Penny, a bookkeeper who checks invoices",
    ].join("\n"),
  );
});

test("/team says who waits for the one who asks", async () => {
  await office.hire(ben, "member");
  await office.sink(message(ada, "build the site"));
  const runId = await addRun("waiting");
  const run = await office.db.selectFrom("runs").selectAll().executeTakeFirstOrThrow();
  await office.unit((unit) =>
    office.attention.open(unit, {
      kind: "approval",
      teammate: { id: run.teammate_id, name: "Milo" },
      runId,
      conversationId: run.conversation_id,
      requester: { id: run.requester_person_id ?? "", locale: null },
      to: { connectionId: office.connectionId, address: { channel: "dm-ada" }, placeKind: "dm" },
      method: "command",
      details: { kind: "command", command: "npm test", cwd: "/w", canApproveForSession: false },
      risk: "normal",
    }),
  );
  await office.sink(command(ada, "team"));
  expect((await latest()).text).toContain("Milo**, General helper · waits for you");
  await office.sink(command(ben, "team"));
  expect((await latest()).text).toContain("Milo**, General helper · waits for a decision");
});

test("in a shared place nobody reads for whom a colleague works elsewhere", async () => {
  await office.open(group, "members");
  await office.sink(message(ada, "a secret"));
  await addRun();
  await office.sink(command(ada, "team", "", { place: group }));
  expect((await latest()).text).toContain("Milo**, General helper · works elsewhere");
});

test("a stranger where everyone may ask sees who works here, and not what they are doing", async () => {
  await office.open(group, "everyone");
  await office.sink(command(stranger, "team", "", { place: group }));
  expect((await latest()).text).toBe("- **Milo**, General helper\n\nTo ask one: /ask Milo …");
});

for (const role of ["member", "guest"] as const) {
  test(`a ${role} is not told how to add somebody, and cannot`, async () => {
    await office.hire(ben, role);
    await office.sink(command(ben, "team"));
    expect((await latest()).text).not.toContain("/team add");
    await office.sink(command(ben, "team", "add Penny, a bookkeeper"));
    expect((await latest()).text).toBe("Only managers and above can do that.");
  });
}

for (const sentence of ["add Penny, a bookkeeper who checks invoices", "Penny, a bookkeeper who checks invoices"]) {
  test(`/team ${sentence} shows what was understood, and Create makes it so`, async () => {
    await office.hire(ben, "manager");
    await office.sink(command(ben, "team", sentence));
    expect((await latest()).text).toBe(
      [
        "Somebody new:",
        "- **Name:** Penny\n- **Title:** Bookkeeper\n- **Job:** Penny, a bookkeeper who checks invoices",
      ].join("\n\n"),
    );
    expect(await labels()).toEqual(["Create", "Edit name", "Edit title", "Edit job", "Cancel"]);
    await pressed("Create", ben);
    expect(await latest()).toMatchObject({
      op: "edit",
      target: "card",
      text: "**Penny** joined: Bookkeeper. What should Penny do first? Press one, or write: /ask Penny …",
    });
    const made = await office.deps.teammates.byHandle(office.db, "penny");
    expect(made).toMatchObject({ title: "Bookkeeper", job: "Penny, a bookkeeper who checks invoices" });
  });
}

test("nobody joins before Create, and Cancel leaves no trace", async () => {
  await office.sink(command(ada, "team", "add Penny, a bookkeeper"));
  const create = await token("Create");
  await pressed("Cancel");
  expect(await latest()).toMatchObject({ text: "Nobody new, then.", buttons: [] });
  await office.sink(press(ada, create));
  expect(await office.deps.teammates.list(office.db)).toHaveLength(1);
});

test("Create pressed twice makes one colleague", async () => {
  await office.sink(command(ada, "team", "add Penny, a bookkeeper"));
  const create = await token("Create");
  await Promise.all([office.sink(press(ada, create)), office.sink(press(ada, create))]);
  expect(await office.deps.teammates.list(office.db)).toHaveLength(2);
});

test("a draft is edited line by line before it becomes somebody", async () => {
  await office.sink(command(ada, "team", "add Penny, a bookkeeper"));
  await fill("Edit name", "Rosa");
  await fill("Edit title", "Auditor");
  await fill("Edit job", "Looks at the books once a month.");
  expect(await latest()).toMatchObject({ op: "edit", target: "card" });
  await pressed("Create");
  const made = await office.deps.teammates.byHandle(office.db, "rosa");
  expect(made).toMatchObject({ name: "Rosa", title: "Auditor", job: "Looks at the books once a month." });
});

test("a draft without a name asks for one first", async () => {
  await office.sink(command(ada, "team", "add a bookkeeper"));
  expect((await latest()).text).toContain("- **Name:** no name yet");
  expect(await labels()).toEqual(["Choose a name", "Edit title", "Edit job", "Cancel"]);
  await fill("Choose a name", "Penny");
  await pressed("Create");
  expect((await latest()).text).toMatch(/^\*\*Penny\*\* joined: Bookkeeper\./);
});

test("a name that is taken is said at once, and another one can be chosen", async () => {
  await office.sink(command(ada, "team", "add Milo, a second one"));
  expect((await latest()).text).toContain("Somebody here has that name already");
  expect(await fill("Choose a name", "MILO")).toMatch(/^Somebody here has that name already/);
  await fill("Choose a name", "Penny");
  expect(await labels()).toContain("Create");
});

test("a name that was taken while the card stood there is refused, and the card stays useful", async () => {
  await office.sink(command(ada, "team", "add Penny, a bookkeeper"));
  await addTeammate(office);
  expect(await pressed("Create")).toMatch(/^Somebody here has that name already/);
  expect(await labels()).toContain("Choose a name");
});

test("F-28 a member presses nothing on a draft, and is told so alone", async () => {
  await office.open(group, "members");
  await office.hire(ben, "member");
  await office.sink(command(ada, "team", "add Penny, a bookkeeper", { place: group }));
  expect(await pressed("Create", ben, { place: group })).toBe("Only a manager can decide this.");
  expect(await office.deps.teammates.list(office.db)).toHaveLength(1);
  await pressed("Create", ada, { place: group });
  expect(await office.deps.teammates.list(office.db)).toHaveLength(2);
});

test("where only one person saw the draft, everybody hears who joined", async () => {
  await office.open(group, "members");
  office.can({ privatePosts: true });
  await office.sink(command(ada, "team", "add Penny, a bookkeeper", { place: group }));
  await pressed("Create", ada, { place: group, private: true });
  const [card, news] = (await office.posts()).slice(-2);
  expect(card).toMatchObject({ op: "edit", onlyFor: { userId: "ada" } });
  expect(news).toMatchObject({
    op: "post",
    text: "**Penny** joined: Bookkeeper. To ask: /ask Penny …",
    onlyFor: undefined,
  });
});

test("F-65 a name is shown as it is: it cannot be a link or ping a group", async () => {
  await office.sink(command(ada, "team", "add [Penny](https://evil.example) @everyone, a bookkeeper"));
  expect((await latest()).text).not.toContain("[Penny](");
});

test("every form fits the narrowest platform", () => {
  for (const { title, label } of Object.values(wordsFor("en").teammates.forms)) {
    expect(title.length).toBeLessThanOrEqual(24);
    expect(label.length).toBeLessThanOrEqual(45);
  }
});
