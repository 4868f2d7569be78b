import type { Adapter, HomeEvent, Post } from "../chat/index.ts";
import { asTypedHere } from "./command-words.ts";
import { waitingLines } from "./commands/inbox.ts";
import { activeRunLines } from "./commands/status.ts";
import { handled, type Outcome } from "./outcome.ts";
import { teamLines } from "./profiles/index.ts";
import { byPerson, type PersonScene, type Scene } from "./scene.ts";
import { strangerText } from "./strangers.ts";

/** Somebody opened their own page, or an empty conversation with us. What they see is not stored: the next look shows it anew. */
export async function takeHome(scene: Scene<HomeEvent>): Promise<Outcome> {
  if (scene.event.shows === "conversation") suggestTasks(scene);
  else showPage(scene, byPerson(scene) ? await pageFor(scene) : await pageForStrangers(scene));
  return handled;
}

function suggestTasks(scene: Scene<HomeEvent>): void {
  if (!byPerson(scene)) return;
  const { channel, thread } = scene.event.place;
  const tasks = scene.words.people.firstTasks.map((task) => ({ title: task, text: task }));
  afterCommit(scene, async (adapter) => adapter.suggest?.({ channel, thread }, tasks));
}

function showPage(scene: Scene<HomeEvent>, page: readonly Post[]): void {
  afterCommit(scene, async (adapter) => adapter.home?.(scene.event.author.id, page));
}

/** The sink does not wait for the platform. */
function afterCommit({ unit, deps, connectionId }: Scene, show: (adapter: Adapter) => Promise<unknown>): void {
  unit.afterCommit(() => {
    const adapter = deps.adapters.get(connectionId);
    if (!adapter) return;
    show(adapter).then(
      (receipt) => deps.log.debug({ connectionId, receipt }, "a page was shown"),
      (error: unknown) => deps.log.info({ err: error, connectionId }, "a page could not be shown"),
    );
  });
}

/** What needs this person, what runs for them, and their colleagues. */
async function pageFor(scene: PersonScene<HomeEvent>): Promise<Post[]> {
  const { deps, unit } = scene;
  await deps.teammates.ensureDefault(unit);
  const teammates = await deps.teammates.list(unit.db);
  const running = await activeRunLines(scene, { personId: scene.person.id });
  const sections = [
    await waitingLines(scene, undefined),
    ...(running.length === 0 ? [] : [running]),
    await teamLines(scene, teammates),
  ];
  return sections.map((lines) => ({ text: asTypedHere(scene, lines.join("\n")), notify: false }));
}

async function pageForStrangers(scene: Scene): Promise<Post[]> {
  return [{ text: await strangerText(scene), notify: false }];
}
