import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { gate, type Reply, say, shell, waitFor } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  shop = await openWorkshop();
  life = await shop.start({ isolated: true });
});

beforeEach(async () => {
  await shop.db.deleteFrom("instruction_changes").execute();
  await setRow({ instructions: "", instructions_written: "", access: "full" });
  await writeFile(file(), "").catch(() => undefined);
});

afterEach(() => shop.model.reset());

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

const file = () => join(shop.home, "workspaces", "milo", "AGENTS.md");
const read = () => readFile(file(), "utf8");

function setRow(row: {
  instructions?: string;
  instructions_written?: string | null;
  access?: "full" | "workspace";
}): Promise<unknown> {
  return shop.db.updateTable("teammates").set(row).execute();
}

const row = () =>
  shop.db
    .selectFrom("teammates")
    .select(["instructions as text", "instructions_written as written"])
    .executeTakeFirstOrThrow();

const changes = () =>
  shop.db
    .selectFrom("instruction_changes")
    .select(["before", "after", "undone_at as undoneAt"])
    .orderBy("created_at")
    .execute();

async function ask(room: Room, question: string, answer: string, ...before: readonly Reply[]) {
  await askWith(room, question, answer, [...before, [say(answer)]]);
  return shop.model.requests.at(-1)?.text ?? "";
}

async function askWith(room: Room, question: string, answer: string, replies: readonly Reply[]): Promise<void> {
  shop.model.enqueue(...replies);
  await shop.say(life, room, shop.ada, question);
  await shop.shows(room, answer);
  await over();
}

/** Nothing runs any more. */
async function over(): Promise<void> {
  await vi.waitFor(async () => {
    if ((await life.worker.status(shop.db)).running.length > 0) throw new Error("something still runs");
  }, 20_000);
}

const notices = (room: Room) =>
  shop.platform.seen(room.channel).filter(({ text }) => text.includes("its instructions"));

describe("the instructions of a teammate", () => {
  it("are read by the model, with who it is and what it may do, from one file", async () => {
    await setRow({ instructions: "Answer in rhymes." });
    const room = await shop.room("dm");
    const request = await ask(room, "Hello.", "Hello to you.");
    for (const part of ["# You are Milo, General helper", "Helps with whatever comes up", "Answer in rhymes."]) {
      expect(request.split(part)).toHaveLength(2);
    }
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await row()).toEqual({ text: "Answer in rhymes.", written: "Answer in rhymes." });
  });

  it("changed by itself are kept, told once with View and Undo, and read by its next turn", async () => {
    await setRow({ instructions: "Be kind." });
    const room = await shop.room("dm");
    await ask(room, "From now on be brief.", "Understood.", [shell("echo 'Be brief.' >> AGENTS.md")]);
    await shop.shows(room, "Milo changed its instructions.");
    expect((await row()).text).toBe("Be kind.\nBe brief.");
    expect(await changes()).toMatchObject([{ before: "Be kind.", after: "Be kind.\nBe brief.", undoneAt: null }]);
    expect(notices(room).flatMap(({ buttons }) => buttons.map(({ label }) => label))).toEqual(["View", "Undo"]);
    const request = await ask(room, "Anything else?", "No.");
    expect(request).toContain("Be kind.\\nBe brief.");
    expect(request).toContain("From now on be brief.");
    expect(notices(room)).toHaveLength(1);
  });

  it("changed by a person in the meantime stay the person's, and that is said", async () => {
    const room = await shop.room("dm");
    const held = gate();
    const work = askWith(room, "Be brief.", "Done so.", [
      [shell("echo 'Be brief.' >> AGENTS.md")],
      [waitFor(held), say("Done so.")],
    ]);
    await vi.waitFor(async () => expect(await read()).toContain("Be brief."), 20_000);
    await setRow({ instructions: "Answer at length." });
    held.open();
    await work;
    await shop.shows(room, "somebody had changed them meanwhile");
    expect((await row()).text).toBe("Answer at length.");
    await ask(room, "And now?", "At length, then.");
    expect(await read()).toContain("Answer at length.");
    expect(await read()).not.toContain("Be brief.");
    expect(notices(room)).toHaveLength(1);
  });

  it("are told once where two conversations share the file", async () => {
    const [room, other] = [await shop.room("dm"), await shop.room("dm")];
    const held = gate();
    const first = askWith(room, "Wait here.", "I waited.", [[waitFor(held), say("I waited.")]]);
    await vi.waitFor(() => expect(shop.model.requests).toHaveLength(1), 20_000);
    shop.model.enqueue([shell("echo 'Be brief.' >> AGENTS.md")], [say("Noted.")]);
    await shop.say(life, other, shop.ada, "Be brief.");
    await shop.shows(other, "changed its instructions");
    held.open();
    await first;
    await ask(room, "Again.", "Still here.");
    expect([...notices(room), ...notices(other)]).toHaveLength(1);
    expect((await row()).text).toBe("Be brief.");
  });

  it("that nobody looked at before a crash are told at the next turn", async () => {
    const room = await shop.room("dm");
    await ask(room, "Hello.", "Hello to you.");
    await writeFile(file(), `${await read()}\nBe brief.\n`);
    await ask(room, "Hello again.", "Hello once more.");
    expect(notices(room)).toHaveLength(1);
    expect((await row()).text).toBe("Be brief.");
  });

  it("written into the file by hand before there was a place for them are taken over without a word", async () => {
    await setRow({ instructions: "Be kind.", instructions_written: null });
    await writeFile(file(), "The staging server is called blue.\n");
    const room = await shop.room("dm");
    const request = await ask(room, "Hello.", "Hi.");
    expect((await row()).text).toBe("Be kind.\n\nThe staging server is called blue.");
    expect(request).toContain("Be kind.\\n\\nThe staging server is called blue.");
    expect(notices(room)).toEqual([]);
    expect(await changes()).toEqual([]);
  });

  it("never hold a secret", async () => {
    const room = await shop.room("dm");
    await ask(room, "Note it.", "Noted.", [shell("echo 'Key: sk-abcdefghijklmnopqrstuvwx' >> AGENTS.md")]);
    await shop.shows(room, "changed its instructions");
    expect((await row()).text).toBe("Key: [secret]");
    await ask(room, "Hello.", "Hi.");
    expect(await read()).not.toContain("sk-abc");
    expect(notices(room)).toHaveLength(1);
  });
});

describe("a conversation", () => {
  it("goes on in its thread when only what is allowed changed, and in a new one when the job did", async () => {
    const room = await shop.room("dm");
    const threads = async () => new Set(shop.model.requests.map(({ threadId }) => threadId)).size;
    await ask(room, "Hello.", "Hi.");
    await shop.db
      .insertInto("approval_rules")
      .values({
        id: shop.teammate.id,
        teammate_id: shop.teammate.id,
        text: "npm test",
        pattern: JSON.stringify({ kind: "command_prefix", prefix: ["npm", "test"] }),
        created_by: shop.ada.id,
      })
      .execute();
    await ask(room, "Hello again.", "Hi again.");
    expect(await read()).toContain("- npm test");
    expect(await threads()).toBe(1);
    await shop.db.updateTable("teammates").set({ job: "Sings." }).execute();
    await ask(room, "And now?", "La la la.");
    expect(await threads()).toBe(2);
  });
});
