import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { call, say } from "../fakes/model/index.ts";
import type { SeenMessage } from "../fakes/telegram/index.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createClaimedWorld();
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const told = (text: string | RegExp): Promise<SeenMessage> =>
  world.telegram.waitForMessage(world.telegram.ada, (message) =>
    typeof text === "string" ? message.text.includes(text) : text.test(message.text),
  );
const labels = (message: SeenMessage) => message.keyboard.flat().map((button) => button.text);
const routines = () => world.query("select name, kind, active, deleted_at from routines order by name");

/** Ada asks, Milo calls a tool of ours and says something; gives what the tool said. */
async function ask(text: string, tool: string, args: object, answer: string): Promise<string> {
  const { model, telegram } = world;
  model.enqueue([call("shipmate", tool, args)], [say(answer)]);
  telegram.say(telegram.ada, telegram.ada, text);
  await told(answer);
  return String(model.requests.at(-1)?.lastOutput);
}

const waitMs = { timeout: 40_000, interval: 100 };
/** What came of the check-in. */
const looks = () =>
  world.query(
    `select r.quiet, d.status from routine_runs r join deliveries d on d.id = r.delivery_id
       join routines o on o.id = r.routine_id where o.kind = 'check_in'`,
  );
/** Nobody waits until nine: it is due every hour from this second on. */
const makeDue = () =>
  world.query(
    `update routines set next_due_at = date_trunc('second', now()), trigger = jsonb_build_object('kind', 'schedule',
       'schedule', jsonb_build_object('kind', 'interval', 'everyMinutes', 60,
         'anchor', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
     where kind = 'check_in'`,
  );

const news = {
  name: "Morning news",
  instruction: "Say what is new on our status page.",
  schedule: "weekdays 08:30",
  timezone: "Europe/Lisbon",
};

describe("a routine by talking", () => {
  it("is proposed, made with a press, tried, listed, changed, paused and deleted", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const press = (message: SeenMessage, label: string) => telegram.press(ada, message, label);

    // What is wrong is for the teammate to correct: Ada sees no card of it.
    const wrong = await ask(
      "Tell me the news every weekday.",
      "create_routine",
      { ...news, schedule: "weekdays", destinations: ["#news"] },
      "At what time?",
    );
    expect(wrong).toContain("Nothing was proposed");
    const unknown = await ask(
      "At half past eight, to #news.",
      "create_routine",
      { ...news, destinations: ["#news"] },
      "I know no #news.",
    );
    expect(unknown).toContain('"here"');
    expect(await world.query("select id from routine_drafts")).toEqual([]);

    const proposed = await ask("Here, then.", "create_routine", news, "Press Create, and it is yours.");
    expect(proposed).toContain("until Create is pressed");
    const card = await told("Morning news → here · weekdays 08:30 (Lisbon)");
    expect(card.text).toMatch(/next: \w{3} \d+.*, \w{3} \d+.*, \w{3} \d+ \w{3,4}/u);
    expect(labels(card)).toEqual(["Create", "Change", "Cancel"]);
    expect(await routines()).toEqual([]);
    press(card, "Create");
    await told(/✓ Created: Morning news/u);
    expect(await routines()).toMatchObject([{ name: "Morning news", kind: "routine", active: true }]);

    // The test runs beside the turn; its report comes by itself.
    model.use(({ lastUserText, lastOutput }) => {
      if (lastUserText.includes("<instruction")) return [say("Nothing is down.")];
      return lastOutput === undefined
        ? [call("shipmate", "test_routine", { routine: "morning news" })]
        : [say("The test is on its way.")];
    });
    telegram.say(ada, ada, "Try it once.");
    await told("The test is on its way.");
    const report = await told("Nothing is down.");
    expect(report.text).toContain("Morning news");
    await world.allPosted();
    model.reset();

    // What it reported was said here.
    const found = await ask(
      "What did it say?",
      "history_search",
      { query: "Nothing is down" },
      "That nothing is down.",
    );
    expect(found).toContain('"by":"Milo"');

    const listed = await ask("Which routines have you?", "list_routines", {}, "Just the one.");
    expect(listed).toContain('"when":"weekdays 08:30"');
    expect(listed).toMatch(/"last":"[\dT:-]+Z succeeded"/u);

    const changed = await ask(
      "An hour later, please.",
      "update_routine",
      { routine: "Morning news", schedule: "weekdays 09:30" },
      "Press Save.",
    );
    expect(changed).toContain("Nothing has changed until Save is pressed");
    press(await told("weekdays 09:30 (Lisbon)"), "Save");
    const triggers = () => world.query("select trigger from routines");
    await vi.waitFor(async () => expect(JSON.stringify(await triggers())).toContain("09:30"), waitMs);

    const paused = await ask(
      "Stop it for now.",
      "update_routine",
      { routine: "Morning news", active: false },
      "Paused.",
    );
    expect(paused).toContain("is paused");
    await told("⏸ Milo paused the routine Morning news.");
    expect(await routines()).toMatchObject([{ active: false }]);

    const deleted = await ask("Delete it.", "delete_routine", { routine: "Morning news" }, "Gone.");
    expect(deleted).toContain("is deleted");
    await told("Milo deleted the routine Morning news.");
    expect(await routines()).toMatchObject([{ deleted_at: expect.anything() }]);
  });

  it("is a check-in when the greeting's offer is taken, which looks in and says nothing", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    telegram.press(ada, await told("You own this Shipmate"), "Check in on weekdays at 9:00");
    const card = await told("Check-in for Ada → here · weekdays 09:00");
    expect(card.text).toContain("a check-in: silent when nothing is new");
    telegram.press(ada, card, "Create");
    await told(/✓ Created: Check-in for Ada/u);
    expect(labels(await told("You own this Shipmate"))).not.toContain("Check in on weekdays at 9:00");

    const before = telegram.chat(ada).fromBot.length;
    model.enqueue([call("shipmate", "routine_no_update")], [say("Nothing.")]);
    await makeDue();
    await vi.waitFor(async () => expect(await looks()).toEqual([{ quiet: true, status: "completed" }]), waitMs);
    await world.allPosted();
    expect(model.requests[0]?.lastUserText).toContain("stay quiet");
    expect(telegram.chat(ada).fromBot.slice(before)).toEqual([]);
  });
});
