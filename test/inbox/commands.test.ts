import { expect, test } from "vitest";
import type { Author } from "../../src/chat/index.ts";
import { commandSpecs } from "../../src/inbox/index.ts";
import { newId } from "../../src/shared/index.ts";
import { wordsFor } from "../../src/words/index.ts";
import { startRun } from "./colleagues.ts";
import { ada, command, dm, group, message, person, stranger } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

const ben = person("ben", "Ben");

async function said(): Promise<string> {
  return (await office.texts()).at(-1) ?? "";
}

async function addRule(text: string): Promise<void> {
  const { id } = await office.db.selectFrom("teammates").select("id").executeTakeFirstOrThrow();
  const pattern = JSON.stringify({ kind: "command_prefix", prefix: text.split(" ") });
  await office.db.insertInto("approval_rules").values({ id: newId(), teammate_id: id, text, pattern }).execute();
}

test("the menu fits a phone: at most twelve commands, each with a short description", () => {
  const specs = commandSpecs(wordsFor("en"));
  const menu = specs.filter((spec) => spec.menu);
  expect(menu.length).toBeLessThanOrEqual(12);
  // A platform that takes twelve takes the first twelve.
  expect(specs.slice(0, menu.length)).toEqual(menu);
  for (const spec of specs) {
    expect(spec.name).toMatch(/^[a-z]{1,32}$/);
    expect(spec.description.length).toBeGreaterThan(3);
    expect(spec.description.length).toBeLessThanOrEqual(100);
  }
});

test("fields fit the narrowest platform, and the required ones come first", () => {
  for (const { fields } of commandSpecs(wordsFor("en"))) {
    const required = fields.map((field) => field.required);
    expect(required).toEqual(required.toSorted((one, other) => Number(other) - Number(one)));
    for (const field of fields) {
      expect(field.name).toMatch(/^[a-z]{1,32}$/);
      expect(field.description.length).toBeGreaterThan(0);
      expect(field.description.length).toBeLessThanOrEqual(100);
    }
  }
});

/** What `/help` lists. */
async function listed(author: Author, place = dm(author)): Promise<string[]> {
  await office.sink(command(author, "help", "", { place }));
  return [...(await said()).matchAll(/^- \/(\w+):/gmu)].map(([, name]) => name ?? "");
}

test("/help lists what its giver may use, and nothing that they do already", async () => {
  const all: string[] = commandSpecs().map(({ name }) => name);
  const useful = all.filter((name) => name !== "help" && name !== "start");
  expect(await listed(ada)).toEqual(useful);
  await office.hire(ben, "member");
  const notForMembers = ["invite", "place", "mcp", "login"];
  expect(await listed(ben)).toEqual(useful.filter((name) => !notForMembers.includes(name)));
  await office.open(group, "everyone");
  expect(await listed(stranger, group)).toEqual(["ask", "team", "why"]);
});

test("an unknown command gets one hint with the nearest name", async () => {
  const event = command(ada, "statsu");
  await office.sink(event);
  expect(await said()).toBe("I don't know /statsu. Did you mean /status?");
  expect(await office.outcome(event.key)).toBe("unknown_command");
});

test("a command that can only be ours is answered, as it is typed", async () => {
  await office.open(group, "members");
  office.can({ privatePosts: true, commandPrefix: "/shipmate " });
  for (const [name, answer] of [
    ["statsu", "I don't know /shipmate statsu. Did you mean /shipmate status?"],
    ["playmusic", "I don't know /shipmate playmusic. /shipmate help shows what I do."],
  ] as const) {
    await office.sink(command(ada, name, "", { place: group, interaction: { id: newId() } }));
    expect(await said()).toBe(answer);
  }
});

test("in a group a command of another bot is let be", async () => {
  await office.open(group, "members");
  const before = (await office.posts()).length;
  await office.sink(command(ada, "playmusic", "", { place: group }));
  expect(await office.posts()).toHaveLength(before);
});

test("F-28 commands in a group follow the same access as messages", async () => {
  await office.open(group, "members");
  const before = (await office.posts()).length;
  const event = command(stranger, "status", "", { place: group });
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("stranger");
  expect(await office.posts()).toHaveLength(before);
});

test("where everyone may ask, a stranger may ask a colleague but not look around", async () => {
  await office.open(group, "everyone");
  await office.sink(command(stranger, "ask", "milo hello", { place: group }));
  expect(await office.deliveries()).toHaveLength(1);
  await office.sink(command(stranger, "inbox", "", { place: group }));
  expect(await said()).toBe("That is for people of this team.");
});

test("the same command delivered twice is answered once", async () => {
  const event = command(ada, "help");
  await Promise.all([office.sink(event), office.sink(event)]);
  expect(await office.posts()).toHaveLength(2);
});

test("an answer goes to the thread of its question, as a reply in a group", async () => {
  await office.open(group, "members");
  await office.sink(command(ada, "help", "", { place: { ...group, thread: "t9" }, messageId: "m9" }));
  const row = await office.db.selectFrom("posts").selectAll().orderBy("seq", "desc").executeTakeFirstOrThrow();
  expect(row).toMatchObject({ channel: group.channel, thread: "t9", body: { replyTo: "m9" } });
});

test("/new starts afresh: the old Codex thread is retired", async () => {
  await office.sink(message(ada, "hello"));
  const [delivery] = await office.deliveries();
  await office.db.updateTable("deliveries").set({ status: "completed" }).execute();
  await office.db
    .insertInto("codex_threads")
    .values({
      id: newId(),
      conversation_id: delivery?.conversationId ?? "",
      codex_thread_id: "t",
      tools_fingerprint: "f",
      instructions_hash: "h",
      provider: "p",
      status: "active",
    })
    .execute();
  await office.sink(command(ada, "new"));
  const thread = await office.db.selectFrom("codex_threads").select("status").executeTakeFirst();
  const conversation = await office.db.selectFrom("conversations").select("reset_at").executeTakeFirst();
  expect(thread?.status).toBe("retired");
  expect(conversation?.reset_at).not.toBeNull();
  expect(await said()).toMatch(/^A fresh conversation with Milo/);
});

test("/new while something runs is refused kindly and offers to stop it", async () => {
  await office.sink(message(ada, "hello"));
  await startRun(office);
  await office.sink(command(ada, "new"));
  const post = (await office.posts()).at(-1);
  expect(post?.text).toMatch(/Milo is in the middle of something/);
  expect(post?.buttons.map((button) => button.label)).toEqual(["Stop"]);
  const conversation = await office.db.selectFrom("conversations").select("reset_at").executeTakeFirst();
  expect(conversation?.reset_at).toBeNull();
});

test("/new in a channel, where each message begins a thread, says just that", async () => {
  const channel = { channel: "C1", kind: "channel", title: "#ops" } as const;
  await office.open(channel, "members");
  await office.sink(command(ada, "new", "", { place: channel }));
  expect(await said()).toBe("Each thread is a conversation of its own. Write a new message, and a fresh one begins.");
});

test("/new in an untouched chat is fine", async () => {
  await office.sink(command(ada, "new"));
  expect(await said()).toMatch(/^A fresh conversation with Milo/);
});

test("/status shows the owner what runs, waits and is connected", async () => {
  await office.sink(message(ada, "hello"));
  await startRun(office);
  await office.sink(message(ada, "more"));
  await office.db
    .updateTable("connections")
    .set({ state: "misconfigured", state_detail: "Get a new token from @BotFather." })
    .execute();
  await office.sink(command(ada, "status"));
  expect(await said()).toBe(
    [
      "- Milo works for Ada in a direct message · just now",
      "1 message waits.",
      "",
      "**This Shipmate**",
      "",
      "- Stand-in (Shipmate): misconfigured. Get a new token from @BotFather.",
      "- Codex: connected",
    ].join("\n"),
  );
});

test("/status shows a member only their own work, and nothing of the machine", async () => {
  await office.hire(ben, "member");
  await office.sink(message(ada, "hello"));
  await startRun(office);
  await office.sink(command(ben, "status"));
  expect(await said()).toBe("Nothing runs, nothing waits.");
});

test("/status in a group shows that group, to the owner too", async () => {
  await office.open(group, "members");
  await office.sink(message(ada, "hello"));
  await startRun(office);
  await office.sink(command(ada, "status", "", { place: group }));
  expect(await said()).toBe("Nothing runs, nothing waits.");
});

test("/inbox says so when nothing waits", async () => {
  await office.sink(command(ada, "inbox"));
  expect(await said()).toBe("Nothing waits for you.");
});

test("/inbox lists what waits for a decision", async () => {
  await office.sink(message(ada, "hello"));
  await startRun(office);
  const run = await office.db.selectFrom("runs").selectAll().executeTakeFirstOrThrow();
  const requester = (await office.deps.people.owners(office.db))[0] ?? null;
  await office.unit((unit) =>
    office.attention.open(unit, {
      kind: "approval",
      teammate: { id: run.teammate_id, name: "Milo" },
      runId: run.id,
      conversationId: run.conversation_id,
      requester,
      to: { connectionId: office.connectionId, address: { channel: dm(ada).channel }, placeKind: "dm" },
      method: "command",
      details: { kind: "command", command: "npm test", cwd: "/w", canApproveForSession: false },
      risk: "normal",
    }),
  );
  await office.sink(command(ada, "inbox"));
  expect(await said()).toMatch(/^One thing waits for you:\n\n- Milo: .*npm test.* · just now$/);
});

test("/rules lists what is allowed for good, and Revoke takes it back", async () => {
  await office.sink(command(ada, "rules"));
  expect(await said()).toBe("Nothing is allowed for good: I ask each time.");
  await addRule("npm run build");
  await office.sink(command(ada, "rules"));
  const post = (await office.posts()).at(-1);
  expect(post?.text).toContain("npm run build");
  const [button] = post?.buttons ?? [];
  expect(button?.label).toBe("Revoke: npm run build");
  const interaction = { id: "revoke" };
  const event = { kind: "button", key: "revoke", place: dm(ada), author: ada, messageId: "m" } as const;
  await office.sink({ ...event, token: button?.token ?? "", interaction });
  await office.sink(command(ada, "rules"));
  expect(await said()).toBe("Nothing is allowed for good: I ask each time.");
});

test("F-30 a member cannot revoke a rule that somebody else made", async () => {
  await office.hire(ben, "member");
  await addRule("npm run build");
  await office.sink(command(ben, "rules"));
  const token = (await office.posts()).at(-1)?.buttons[0]?.token ?? "";
  const event = { kind: "button", key: "revoke", place: dm(ben), author: ben, messageId: "m", token } as const;
  await office.sink({ ...event, interaction: { id: "revoke" } });
  expect(await office.outcome("revoke")).toBe("refused");
});

test("/team says who works here", async () => {
  await office.sink(command(ada, "team"));
  expect(await said()).toMatch(/^- \*\*Milo\*\*, General helper · free\n\nTo ask one: \/ask Milo …/);
});

test("/invite gives the owner a code with the way to use it", async () => {
  await office.sink(command(ada, "invite"));
  expect(await said()).toMatch(
    /one person a member.*within 15 minutes:\n\n`.{4}-.{4}`\n\nThey send it to me, alone, in a direct message: https:\/\/chat\.example/s,
  );
});

test("/invite in a group gives no code", async () => {
  await office.open(group, "members");
  await office.sink(command(ada, "invite", "", { place: group }));
  expect(await said()).toBe("Please ask me that in a direct message.");
});

for (const role of ["manager", "member", "guest"] as const) {
  test(`/invite is not for a ${role}`, async () => {
    await office.hire(ben, role);
    await office.sink(command(ben, "invite"));
    expect(await said()).toBe("Only the owner and admins can do that.");
  });
}

test("nobody hands out a role as high as their own", async () => {
  await office.hire(ben, "admin");
  await office.sink(command(ben, "invite", "admin"));
  expect(await said()).toBe("You can invite as manager, member or guest. For example: /invite manager");
  await office.sink(command(ada, "invite", "owner"));
  expect(await said()).toMatch(/^You can invite as admin, manager, member or guest/);
});

test("F-11 /why tells what became of somebody's last messages", async () => {
  await office.open(group, "members");
  await office.sink(message(ada, "lunch?", { place: group, addressed: "ambient" }));
  await office.sink(message(ada, "hello"));
  for (const name of ["help", "status", "team"]) await office.sink(command(ada, name));
  await office.sink(command(ada, "statsu"));
  await office.sink(command(ada, "why"));
  expect((await said()).split("\n").slice(2, 5)).toEqual([
    "- just now, a command in a direct message: I don't know that command",
    "- just now, a message in a direct message: taken up",
    "- just now, a message in Ops: not addressed to me, so I let it be",
  ]);
});

test("in a group /inbox, /why and /rules show nothing of other places", async () => {
  await office.open(group, "members");
  await office.sink(message(ada, "hello"));
  await startRun(office);
  const run = await office.db.selectFrom("runs").selectAll().executeTakeFirstOrThrow();
  await office.unit((unit) =>
    office.attention.open(unit, {
      kind: "approval",
      teammate: { id: run.teammate_id, name: "Milo" },
      runId: run.id,
      conversationId: run.conversation_id,
      requester: null,
      to: { connectionId: office.connectionId, address: { channel: dm(ada).channel }, placeKind: "dm" },
      method: "command",
      details: { kind: "command", command: "npm test", cwd: "/w", canApproveForSession: false },
      risk: "normal",
    }),
  );
  await addRule("npm run build");
  const inGroup = async (name: string) => {
    await office.sink(command(ada, name, "", { place: group }));
    return said();
  };
  expect(await inGroup("inbox")).toBe("Nothing waits for you.");
  expect(await inGroup("why")).not.toContain("direct message");
  expect(await inGroup("rules")).not.toContain("npm run build");
});

test("F-11 every reason has words", async () => {
  const { reasons } = wordsFor("en").commands;
  for (const text of Object.values(reasons)) expect(text).toMatch(/[a-z] /);
});

test("/start from somebody we know is a greeting", async () => {
  await office.sink(command(ada, "start"));
  expect(await said()).toMatch(/^Hello Ada/);
});

test("commands are named as people type them where all of them share one name", async () => {
  office.can({ commandPrefix: "/shipmate " });
  await office.sink(command(ada, "help"));
  const help = await said();
  expect(help).toContain("- /shipmate status: ");
  expect(help).toContain("/shipmate ask NAME");
  expect(help).not.toMatch(/(?<!\S)\/(?!shipmate )/u);
  await office.sink(command(ada, "hlep"));
  expect(await said()).toContain("Did you mean /shipmate help?");
});
