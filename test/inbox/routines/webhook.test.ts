import { beforeEach, describe, expect, test } from "vitest";
import { createWebhookPage } from "../../../src/inbox/index.ts";
import { readCall } from "../../../src/inbox/routines/read-call.ts";
import type { Person } from "../../../src/people/index.ts";
import { silentLog } from "../../../src/shared/index.ts";
import { inTransaction } from "../../../src/storage/index.ts";
import { createWebForms } from "../../../src/web-forms/index.ts";
import { ada, command, dm, group, message, person, press, type ShownPost } from "../office.ts";
import { claimed, lastCard, useOffice } from "../scene.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");
const mo = person("mo", "Mo");
let member: Person;

beforeEach(async () => {
  member = await office.hire(ben, "member");
  await office.hire(mo, "manager");
  await office.open(group, "members");
});

const { latest, token, labels, pressed, fill } = lastCard(office);
const wish = "new when its webhook is called, post what was deployed";

async function create(by = ben, place = dm(by)): Promise<void> {
  await office.sink(command(by, "routine", wish, { place }));
  await pressed("Create", by, { place });
}

/** The address of a page that was given out last, in whose chat, and how it goes on when somebody opens it. */
async function lastPage(): Promise<{ post: ShownPost; url: string }> {
  const rows = await office.db.selectFrom("posts").selectAll().orderBy("seq").execute();
  const at = rows.findLastIndex(({ body }) => JSON.stringify(body).includes("/f/"));
  const post = (await office.posts())[at];
  const url = /https:\/\/shipmate\.example\/f\/[\w-]{22}/.exec(JSON.stringify(rows[at]?.body))?.[0];
  if (post === undefined || url === undefined) throw new Error("no page was given out");
  return { post, url };
}

const pages = createWebForms({
  address: () => ({ base: "https://shipmate.example", opensAnywhere: true }),
  clock: office.clock,
  log: silentLog,
});

/** What the page shows to whoever presses its button. */
function show(url: string) {
  const handlers = { webhook_secret: createWebhookPage(office.deps) };
  return pages.submit(office.db, url.split("/").at(-1) ?? "", {}, handlers);
}

async function shownSecret(url: string): Promise<{ address: string; secret: string }> {
  const shown = await show(url);
  if (shown.kind !== "done" || shown.shown === undefined) throw new Error(`it showed nothing: ${shown.kind}`);
  const [address, secret] = shown.shown.texts;
  return { address: address?.text ?? "", secret: secret?.text ?? "" };
}

async function everythingKept(): Promise<string> {
  const tables = ["posts", "messages", "web_forms", "action_tokens", "routine_drafts", "audit_log"] as const;
  const rows = await Promise.all(tables.map((table) => office.db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows);
}

test.each([
  ["when its webhook is called, post what was deployed", "post what was deployed"],
  ["Post what was deployed whenever it is called from outside.", "Post what was deployed"],
  ["each time something calls it: say hello", "say hello"],
  ["say hello on a webhook", "say hello"],
  ["when called from outside", ""],
  ["webhook", ""],
])("%s is started from outside", (text, rest) => {
  expect(readCall(text)).toEqual({ rest });
});

test.each(["webhook failures: list them", "tell me when it is called off", "watch the webhook every hour"])(
  "%s is not",
  (text) => {
    expect(readCall(text)).toBeNull();
  },
);

describe("a routine that is called from outside", () => {
  test("is made like any other, and its address and secret are shown once, on a page", async () => {
    await office.sink(command(ben, "routine", wish));
    expect((await latest()).text).toContain("when called from outside");
    expect(await labels()).toEqual(["Create", "Change", "Cancel"]);
    await pressed("Create", ben);
    const { post, url } = await lastPage();
    expect(post).toMatchObject({ channel: dm(ben).channel, op: "post" });
    expect(post.text).toContain("It shows them once, within 15 minutes.");
    const { address, secret } = await shownSecret(url);
    expect(address).toMatch(/^https:\/\/shipmate\.example\/hooks\/[\w-]{22}$/);
    expect(secret).toMatch(/^[\w-]{44}$/);
    expect(await everythingKept()).not.toContain(secret);
    expect(await show(url)).toEqual({ kind: "over" });
  });

  test("takes its time in a form, too", async () => {
    await office.sink(command(ada, "routine", "new post what was deployed"));
    await fill("When", "when its webhook is called");
    expect((await latest()).text).toContain("when called from outside");
    await pressed("Create");
    expect((await lastPage()).post.channel).toBe(dm(ada).channel);
  });

  test("made where others read along, tells its secret in private alone", async () => {
    await office.sink(message(ben, "hello"));
    await office.sink(command(ben, "routine", wish, { place: group }));
    expect(await pressed("Create", ben, { place: group })).toBe("I sent it to you in a direct message.");
    expect((await lastPage()).post.channel).toBe(dm(ben).channel);
    const inGroup = (await office.posts()).filter(({ channel }) => channel === group.channel);
    expect(JSON.stringify(inGroup)).not.toMatch(/\/f\/|\/hooks\//);
  });

  test("makes no secret that nobody could be shown", async () => {
    await office.db.updateTable("identities").set({ dm_channel: null }).execute();
    const answer = await (async () => {
      await office.sink(command(ben, "routine", wish, { place: group }));
      return pressed("Create", ben, { place: group });
    })();
    expect(answer).toBe("Write to me in a direct message first: this is for you alone.");
    expect(await office.db.selectFrom("routines").select("id").execute()).toHaveLength(1);
    expect(await office.db.selectFrom("webhooks").select("id").execute()).toEqual([]);
    const [made] = await office.deps.routines.list(office.db);
    await office.sink(command(ben, "routine", `webhook ${made?.name}`));
    expect((await latest()).text).toContain("has no address yet");
    await pressed("Address and secret", ben);
    expect((await shownSecret((await lastPage()).url)).secret).toMatch(/^[\w-]{44}$/);
  });
});

describe("/routine webhook", () => {
  let name: string;
  beforeEach(async () => {
    await create();
    name = (await office.deps.routines.list(office.db))[0]?.name ?? "";
  });

  test("shows the address, and when it was called last", async () => {
    const { address } = await shownSecret((await lastPage()).url);
    await office.sink(command(ben, "routine", `webhook ${name}`));
    const { text } = await latest();
    expect(text).toContain(`Address: \`${address}\``);
    expect(text).toContain("Nothing has called it yet.");
    await office.db.updateTable("webhooks").set({ called_at: office.clock.now() }).execute();
    await office.sink(command(ben, "routine", `webhook ${name}`));
    expect((await latest()).text).toMatch(/Last call: today \d\d:\d\d UTC/);
  });

  test("asks before it makes a new secret, which ends the one before and the page that showed it", async () => {
    const first = (await lastPage()).url;
    await office.sink(command(ben, "routine", `webhook ${name}`));
    await pressed("New secret", ben);
    expect((await latest()).text).toContain("are turned away at once");
    const before = await secretKept();
    await pressed("Keep the one it has", ben);
    expect(await secretKept()).toEqual(before);
    await pressed("New secret", ben);
    await pressed("New secret", ben);
    expect(await secretKept()).not.toEqual(before);
    expect(await show(first)).toEqual({ kind: "over" });
    const { secret } = await shownSecret((await lastPage()).url);
    expect(secret).toMatch(/^[\w-]{44}$/);
  });

  async function secretKept(): Promise<Buffer | undefined> {
    return (await office.db.selectFrom("webhooks").select("secret").executeTakeFirst())?.secret;
  }

  test("is for whose routine it is and the owner; others get nothing, whatever they press", async () => {
    const { address } = await shownSecret((await lastPage()).url);
    await office.sink(command(ada, "routine", `webhook ${name}`));
    expect((await latest()).text).toContain(address);
    await office.sink(command(mo, "routine", `webhook ${name}`));
    const { text, buttons } = await latest();
    expect(text).toContain("Only the one whose routine it is, and the owner");
    expect(text).not.toContain(address);
    expect(buttons).toEqual([]);
    await office.sink(command(mo, "routine", name));
    const before = await secretKept();
    expect(await pressed("URL and secret", mo)).toContain("Only the one whose routine it is, and the owner");
    expect(await secretKept()).toEqual(before);
  });

  test("whose routine it is no more sees no secret on a page from before", async () => {
    const { url } = await lastPage();
    await office.db.updateTable("people").set({ role: "guest" }).where("id", "=", member.id).execute();
    expect(await show(url)).toEqual({ kind: "over" });
  });

  test("says nothing of it where others read along", async () => {
    const other = { ...group };
    const routine = (await office.deps.routines.list(office.db))[0];
    if (routine === undefined) throw new Error("there is no routine");
    await inTransaction(office.db, silentLog, async (unit) => {
      const { id } = await office.deps.places.ensure(unit, office.connectionId, other);
      await unit.db.updateTable("routines").set({ place_id: id }).execute();
    });
    await office.sink(command(ben, "routine", `webhook ${name}`, { place: other }));
    expect((await latest()).text).not.toContain("/hooks/");
    await office.sink(command(ben, "routine", name, { place: other }));
    expect(await pressed("URL and secret", ben, { place: other })).toBe("I sent it to you in a direct message.");
    const posts = await office.posts();
    const withAddress = posts.filter(({ text }) => text.includes("/hooks/"));
    expect(withAddress.map(({ channel }) => channel)).toEqual([dm(ben).channel]);
    // The card it was pressed on goes on.
    expect(posts.at(-1)).toMatchObject({ op: "edit", channel: other.channel });
    expect(await token("Pause")).toBeDefined();
  });

  test("a routine with a schedule has none", async () => {
    await office.sink(command(ben, "routine", "new every day at 7:00 say hello"));
    await pressed("Create", ben);
    const routines = await office.deps.routines.list(office.db);
    const scheduled = routines.find(({ trigger }) => trigger.kind === "schedule");
    await office.sink(command(ben, "routine", `webhook ${scheduled?.name}`));
    expect((await latest()).text).toContain("has a schedule, so nothing calls it");
  });

  test("a card from before a routine was deleted makes no secret", async () => {
    await office.sink(command(ben, "routine", `webhook ${name}`));
    const old = await token("New secret");
    const routine = (await office.deps.routines.list(office.db))[0];
    await office.unit((unit) => office.deps.routines.remove(unit, member, routine?.id ?? ""));
    const event = press(ben, old);
    await office.sink(event);
    await expect.poll(() => office.answers.at(-1)?.text).toContain("That routine is gone");
  });
});
