import { expect, test, vi } from "vitest";
import type { Author, HomeEvent } from "../../src/chat/index.ts";
import { newId } from "../../src/shared/index.ts";
import { startRun } from "./colleagues.ts";
import { ada, dm, message, stranger } from "./office.ts";
import { useOffice } from "./scene.ts";

const office = await useOffice();

function home(author: Author, shows: HomeEvent["shows"]): HomeEvent {
  return { kind: "home", key: `home:${newId()}`, place: { ...dm(author), thread: "t1" }, author, shows };
}

/** What somebody sees on their page. */
async function pageOf(author: Author): Promise<string[]> {
  office.shown.length = 0;
  await office.sink(home(author, "page"));
  await vi.waitFor(() => expect(office.shown).toHaveLength(1));
  const [shown] = office.shown;
  if (!shown || !("home" in shown)) throw new Error("no page was shown");
  expect(shown.home).toBe(author.id);
  return shown.page.map(({ text }) => text);
}

test("the page says what waits for somebody, what runs for them, and who works here", async () => {
  await office.claim();
  expect(await pageOf(ada)).toEqual(["Nothing waits for you.", "- **Milo**, General helper · free"]);
  await office.sink(message(ada, "build the site"));
  await startRun(office);
  const [, runs, team] = await pageOf(ada);
  expect(runs).toBe("- Milo works for Ada in a direct message · just now");
  expect(team).toContain("works for Ada");
});

test("the page is not stored: nothing is posted", async () => {
  await office.claim();
  const before = (await office.posts()).length;
  await pageOf(ada);
  expect(await office.posts()).toHaveLength(before);
});

test("a stranger's page is one sentence", async () => {
  expect(await pageOf(stranger)).toEqual([expect.stringContaining("isn't set up yet")]);
  await office.claim();
  expect(await pageOf(stranger)).toEqual(["I work for a team here. Ask Ada for an invitation."]);
});

test("an empty conversation offers three first tasks to somebody we know", async () => {
  await office.claim();
  await office.sink(home(ada, "conversation"));
  await vi.waitFor(() => expect(office.shown).toHaveLength(1));
  const [shown] = office.shown;
  expect(shown).toMatchObject({ suggestedIn: { channel: dm(ada).channel, thread: "t1" } });
  expect(shown && "suggestions" in shown && shown.suggestions).toHaveLength(3);
});

test("an empty conversation offers nothing to a stranger", async () => {
  await office.claim();
  await office.sink(home(stranger, "conversation"));
  await pageOf(ada);
  expect(office.shown.filter((each) => "suggestions" in each)).toEqual([]);
});
