import type { Person } from "../../people/index.ts";
import type { Teammate } from "../../teammates/index.ts";
import { canBePrivate, plain, type Scene } from "../scene.ts";
import { type BusyTeammate, busyTeammates } from "./team.store.ts";

/** One line for each: who it is, and what it is doing. Where others read along, what it does elsewhere stays there. */
export async function teamLines(scene: Scene, teammates: readonly Teammate[]): Promise<string[]> {
  const { person, words } = scene;
  if (person === null) return teammates.map(({ name, title }) => words.teammates.line(plain(name), plain(title), null));
  const doing = await stateOf(scene, person);
  return teammates.map((each) => words.teammates.line(plain(each.name), plain(each.title), doing(each)));
}

async function stateOf(scene: Scene, person: Person): Promise<(teammate: Teammate) => string> {
  const { unit, deps, place } = scene;
  const words = scene.words.teammates;
  const seesAll = canBePrivate(scene);
  const waiting = await deps.attention.listOpenFor(unit.db, person, seesAll ? undefined : place.id);
  const waitsForYou = new Set(waiting.map(({ teammateName }) => teammateName));
  const busy = Map.groupBy(await busyTeammates(unit.db), ({ teammateId }) => teammateId);
  return ({ id, name }) => {
    if (waitsForYou.has(name)) return words.waitsForYou;
    const all = busy.get(id) ?? [];
    const [first, ...more] = seesAll ? all : all.filter(({ placeId }) => placeId === place.id);
    if (!first) return all.length > 0 ? words.worksElsewhere : words.free;
    const state = runState(scene, first);
    return more.length === 0 ? state : `${state} ${words.andMore(more.length)}`;
  };
}

function runState({ deps, words }: Scene, run: BusyTeammate): string {
  if (run.waits) return words.teammates.waits;
  const elapsed = words.live.roughly(deps.clock.now().getTime() - run.startedAt.getTime());
  return words.teammates.works(run.requesterName === null ? null : plain(run.requesterName), elapsed);
}
