import { beforeEach, expect, test, vi } from "vitest";
import { issueTokens } from "../../src/attention/index.ts";
import type { Author, Sink } from "../../src/chat/index.ts";
import type { Role } from "../../src/people/index.ts";
import { newId } from "../../src/shared/index.ts";
import { ada, command, dm, group, message, person, press, stranger } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
let there: { readonly connectionId: string; readonly sink: Sink };
beforeEach(async () => {
  there = await office.connect("discord");
});

/** Ada's and Ben's accounts in the other app. */
const adaThere = person("ada-there", "ada_l");
const ben = person("ben", "Ben");
const benThere = person("ben-there", "ben_b");

async function codeOf(author: Author, sink: Sink = office.sink): Promise<string> {
  await sink(command(author, "link"));
  const code = /`(.+)`/u.exec((await office.texts()).at(-1) ?? "")?.[1];
  if (code === undefined) throw new Error("there is no code");
  return code;
}

/** Which person an account belongs to: name and role. */
async function who(author: Author, connectionId = there.connectionId): Promise<string> {
  const identity = await office.deps.people.find(office.db, connectionId, author.id);
  return identity?.person ? `${identity.person.displayName} ${identity.person.role}` : "nobody";
}

async function people(): Promise<string[]> {
  const rows = await office.db
    .selectFrom("people")
    .select(["display_name", "role"])
    .where("disabled_at", "is", null)
    .orderBy("created_at")
    .execute();
  return rows.map((row) => `${row.display_name} ${row.role}`);
}

async function latest(): Promise<string> {
  return (await office.texts()).at(-1) ?? "";
}

/** Somebody joins in the other app, by an invitation of its own. */
async function joinThere(author: Author, role: Exclude<Role, "owner">): Promise<string> {
  const [owner] = await office.deps.people.owners(office.db);
  if (!owner) throw new Error("nobody owns this");
  const { code } = await office.unit((unit) => office.deps.people.issueInvite(unit, owner, role));
  await there.sink(message(author, code));
  const identity = await office.deps.people.find(office.db, there.connectionId, author.id);
  return identity?.person?.id ?? "";
}

test("/link says in two lines what to do", async () => {
  await office.sink(command(ada, "link"));
  const lines = (await latest()).split("\n\n");
  expect(lines).toEqual([
    expect.stringMatching(/^Your code, for 10 minutes and one use: `.{4}-.{4}`$/),
    "Send it to me, alone, in a direct message in the other app. From then on I know you there, too.",
  ]);
});

const ways: Readonly<Record<string, (code: string) => Promise<void>>> = {
  "the code alone": (code) => there.sink(message(adaThere, ` ${code.toLowerCase().replace("-", "–")} `)),
  "/start CODE": (code) => there.sink(command(adaThere, "start", code)),
  "/link CODE": (code) => there.sink(command(adaThere, "link", code)),
};
for (const [way, send] of Object.entries(ways)) {
  test(`${way} makes the account in the other app the same person`, async () => {
    await send(await codeOf(ada));
    expect(await who(adaThere)).toBe("Ada owner");
    expect(await people()).toEqual(["Ada owner"]);
    expect(await office.messages()).toEqual([]);
  });
}

test("it is said in both apps", async () => {
  const code = await codeOf(ada);
  await there.sink(message(adaThere, code));
  const [here, elsewhere] = (await office.posts()).slice(-2);
  expect(here).toMatchObject({
    channel: dm(adaThere).channel,
    text: "You are Ada here, too, with the same rights: owner.",
  });
  expect(elsewhere?.channel).toBe(dm(ada).channel);
  expect(elsewhere?.text).toContain("on Discord is you from now on. If that was not you");
});

test("rights apply in both apps from then on", async () => {
  await there.sink(message(adaThere, await codeOf(ada)));
  await there.sink(command(adaThere, "invite"));
  expect(await latest()).toMatch(/makes one person a member/);
});

test("a code links once", async () => {
  const code = await codeOf(ada);
  await there.sink(message(adaThere, code));
  await there.sink(message(stranger, code));
  expect(await who(stranger)).toBe("nobody");
  expect(await latest()).toMatch(/used already/);
});

test("two accounts with one code at once: one of them is linked", async () => {
  const code = await codeOf(ada);
  await Promise.all(["x", "y", "z"].map((id) => there.sink(message(person(id, id), code))));
  const linked = await Promise.all(["x", "y", "z"].map((id) => who(person(id, id))));
  expect(linked.toSorted()).toEqual(["Ada owner", "nobody", "nobody"]);
});

test("a code ends after ten minutes, and when the next one is made", async () => {
  const first = await codeOf(ada);
  const second = await codeOf(ada);
  await there.sink(message(adaThere, first));
  expect(await who(adaThere)).toBe("nobody");
  office.clock.pass(11 * 60_000);
  await there.sink(message(adaThere, second, { sentAt: office.clock.now() }));
  expect(await who(adaThere)).toBe("nobody");
  expect(await latest()).toMatch(/expired/);
});

test("codes are stored as hashes only", async () => {
  const code = await codeOf(ada);
  const stored = JSON.stringify(await office.db.selectFrom("claim_codes").selectAll().execute());
  expect(stored).not.toContain(code);
});

test("a code in a shared place is not taken: others could read it", async () => {
  const code = await codeOf(ada);
  await there.sink(message(adaThere, code, { place: group }));
  await there.sink(command(adaThere, "start", code, { place: group }));
  expect(await who(adaThere)).toBe("nobody");
});

test("the code on the account it came from says where it belongs, and stays good", async () => {
  const code = await codeOf(ada);
  await office.sink(message(ada, code));
  expect(await latest()).toBe("I know you here already. Send the code in the other app.");
  await there.sink(message(adaThere, code));
  expect(await who(adaThere)).toBe("Ada owner");
});

/** Ada sends the code in the other app, where she is known too, and says that it is hers. */
async function linkThere(): Promise<void> {
  await there.sink(message(adaThere, await codeOf(ada)));
  const yes = (await office.posts()).at(-1)?.buttons.find(({ label }) => label === "That is me")?.token ?? "";
  await there.sink(press(adaThere, yes));
}

test("somebody known in both apps becomes one, with the higher role", async () => {
  await joinThere(adaThere, "guest");
  await linkThere();
  expect(await who(adaThere)).toBe("Ada owner");
  expect(await people()).toEqual(["Ada owner"]);
});

test("what they asked for, are asked and may press in the other app is theirs, too", async () => {
  const gone = await joinThere(adaThere, "member");
  await there.sink(message(adaThere, "build it"));
  const delivery = await office.db.selectFrom("deliveries").selectAll().executeTakeFirstOrThrow();
  const { teammate_id, conversation_id } = delivery;
  const runId = newId();
  await office.db
    .insertInto("runs")
    .values({
      id: runId,
      teammate_id,
      conversation_id,
      requester_person_id: gone,
      trigger: "message",
      status: "waiting",
      computer: "c",
    })
    .execute();
  const { id: attentionId } = await office.unit((unit) =>
    office.attention.open(unit, {
      kind: "approval",
      teammate: { id: teammate_id, name: "Milo" },
      runId,
      conversationId: conversation_id,
      requester: { id: gone, locale: null },
      to: { connectionId: there.connectionId, address: { channel: dm(adaThere).channel }, placeKind: "dm" },
      method: "command",
      details: { kind: "command", command: "npm test", cwd: "/w", canApproveForSession: false },
      risk: "normal",
    }),
  );
  const choices = [{ key: "it", action: "first_task", payload: { text: "hello" } }];
  const { it: token } = await office.unit((unit) => issueTokens(unit, { choices, personId: gone }));
  await linkThere();
  const [owner] = await office.deps.people.owners(office.db);
  const kept = owner?.id ?? "";
  expect(kept).not.toBe(gone);
  const rows = async (table: "deliveries" | "runs" | "attention") =>
    (await office.db.selectFrom(table).select("requester_person_id").execute()).map((row) => row.requester_person_id);
  expect([await rows("deliveries"), await rows("runs"), await rows("attention")]).toEqual([[kept], [kept], [kept]]);
  expect((await office.messages()).map((each) => each.personId)).toEqual([kept]);
  await office.sink(press(ada, token ?? ""));
  expect(await office.messages()).toHaveLength(2);
  expect((await office.attention.get(office.db, attentionId))?.requesterPersonId).toBe(kept);
});

test("who became whom is written down", async () => {
  const gone = await joinThere(adaThere, "member");
  await linkThere();
  const audit = await office.db.selectFrom("audit_log").select(["action", "data"]).execute();
  expect(audit).toContainEqual({ action: "link", data: { role: "owner", merged: gone, mergedRole: "member" } });
});

test("somebody known already is asked before their rights go over, and No changes nothing", async () => {
  await office.hire(ben, "member");
  const code = await codeOf(ben);
  await office.sink(message(ada, code));
  const card = (await office.posts()).at(-1);
  expect(card?.text).toMatch(
    /^This code is from Ben \(member\)\. If Ben is you, the two become one, with the higher rights: owner/,
  );
  expect(await people()).toEqual(["Ada owner", "Ben member"]);
  await office.sink(press(ada, card?.buttons.find(({ label }) => label === "No")?.token ?? ""));
  expect(await latest()).toBe("Nothing was changed.");
  expect(await people()).toEqual(["Ada owner", "Ben member"]);
});

test("nobody but the one who was asked can say that the two are one", async () => {
  await office.hire(ben, "member");
  await office.sink(message(ada, await codeOf(ben)));
  const yes = (await office.posts()).at(-1)?.buttons.find(({ label }) => label === "That is me")?.token ?? "";
  await office.sink(press(ben, yes));
  expect(await people()).toEqual(["Ada owner", "Ben member"]);
  await office.sink(press(ada, yes));
  expect(await people()).toEqual(["Ben owner"]);
  expect(await who(ada, office.connectionId)).toBe("Ben owner");
});

test("confirmed too late, nothing is linked", async () => {
  await office.hire(ben, "member");
  await office.sink(message(ada, await codeOf(ben)));
  const yes = (await office.posts()).at(-1)?.buttons.find(({ label }) => label === "That is me")?.token ?? "";
  await codeOf(ben);
  await office.sink(press(ada, yes));
  expect(await people()).toEqual(["Ada owner", "Ben member"]);
});

test("somebody who was disabled links nothing, neither their account nor another one", async () => {
  await office.hire(ben, "member");
  const code = await codeOf(ben);
  const adas = await codeOf(ada);
  await office.db.updateTable("people").set({ disabled_at: new Date() }).where("role", "=", "member").execute();
  await there.sink(message(benThere, code));
  expect(await who(benThere)).toBe("nobody");
  await office.sink(message(ben, adas));
  expect(await who(ben, office.connectionId)).toBe("nobody");
});

test("what looks like a code and links nothing is an ordinary message", async () => {
  await office.sink(message(ada, "test-case"));
  await office.sink(message(ada, "KQ7D 2MXR"));
  expect((await office.messages()).map(({ text }) => text)).toEqual(["test-case", "KQ7D 2MXR"]);
});

test("an invitation sent by somebody we know is an ordinary message, and stays good", async () => {
  await office.sink(command(ada, "invite"));
  const code = /`(.+)`/u.exec(await latest())?.[1] ?? "";
  await office.sink(message(ada, code));
  expect(await office.messages()).toHaveLength(1);
  await office.sink(command(ada, "start", code));
  expect(await latest()).toMatch(/^Hello Ada/);
  await office.sink(message(stranger, code));
  expect(await who(stranger, office.connectionId)).toBe("Somebody member");
});

test("a code among other words, with a file, or forwarded is no code", async () => {
  const code = await codeOf(ada);
  await joinThere(adaThere, "member");
  const file = { id: "f", name: "a.txt", kind: "document" } as const;
  await there.sink(message(adaThere, `my code is ${code}`));
  await there.sink(message(adaThere, code, { files: [file] }));
  await there.sink(message(adaThere, code, { forwardedFrom: "Ben" }));
  expect(await who(adaThere)).toBe("ada_l member");
  expect(await office.messages()).toHaveLength(3);
});

test("five wrong codes of a stranger in ten minutes, and the right one meets silence", async () => {
  const code = await codeOf(ada);
  for (let n = 0; n < 5; n++) await there.sink(message(adaThere, `WRNG-234${n}`));
  const right = message(adaThere, code);
  await there.sink(right);
  expect(await office.outcome(right.key)).toBe("too_many_codes");
  expect(await who(adaThere)).toBe("nobody");
});

test("somebody we know guesses no more often: by /start, by /link, or by messages", async () => {
  await joinThere(benThere, "member");
  const code = await codeOf(ada);
  const guesses = [
    command(benThere, "start", "WRNG-2341"),
    command(benThere, "link", "WRNG-2342"),
    message(benThere, "WRNG-2343"),
    message(benThere, "WRNG-2344"),
    message(benThere, "WRNG-2345"),
  ];
  for (const guess of guesses) await there.sink(guess);
  await there.sink(message(benThere, code));
  expect(await who(benThere)).toBe("ben_b member");
  // Like any message that does not link.
  expect((await office.messages()).at(-1)?.text).toBe(code);
  office.clock.pass(11 * 60_000);
  const next = await codeOf(ada, (event) => office.sink({ ...event, sentAt: office.clock.now() } as typeof event));
  await there.sink(message(benThere, next, { sentAt: office.clock.now() }));
  await there.sink(press(benThere, (await office.posts()).at(-1)?.buttons[0]?.token ?? ""));
  expect(await who(benThere)).toBe("Ada owner");
});

test("guesses that are too many to be taken count, too", async () => {
  await joinThere(benThere, "member");
  const code = await codeOf(ada);
  for (let n = 0; n < 5; n++) await there.sink(message(benThere, `task ${n}`));
  for (let n = 0; n < 5; n++) await there.sink(message(benThere, `WRNG-234${n}`));
  const right = message(benThere, code);
  await there.sink(right);
  expect(await office.outcome(right.key)).toBe("too_many_waiting");
  expect(await who(benThere)).toBe("ben_b member");
});

test("the link of the invitation opened once more is a greeting", async () => {
  await office.sink(command(ada, "start", "ABCD-2345"));
  expect(await latest()).toMatch(/^Hello Ada/);
});

test("what a linked account asks belongs to the chat it was asked in", async () => {
  await there.sink(message(adaThere, await codeOf(ada)));
  await there.sink(message(adaThere, "hello"));
  const row = await office.db
    .selectFrom("messages as m")
    .innerJoin("places as p", "p.id", "m.place_id")
    .select(["p.connection_id"])
    .executeTakeFirstOrThrow();
  expect(row.connection_id).toBe(there.connectionId);
  await vi.waitFor(async () => expect(await office.deliveries()).toHaveLength(1));
});
