import { issueTokens, type NewTokens } from "../../attention/index.ts";
import { type Button, clip, type Post } from "../../chat/index.ts";
import { type Asker, type Memory, type MemoryScope, mayChange } from "../../memory/index.ts";
import { allows } from "../../people/index.ts";
import type { Teammate } from "../../teammates/index.ts";
import type { PersonScene } from "../scene.ts";
import { plain } from "../scene.ts";
import { askerOf, type CardAbout, type MemoryAbout } from "./asking.ts";

export type MemoryPost = Pick<Post, "text" | "buttons">;

const lifetimeMs = 7 * 24 * 60 * 60_000;
const shownAtOnce = 10;
const longestLine = 140;
const buttonsInRow = 5;

/** A page of what a teammate remembers that this person may see here, with a button for each. */
export async function listCard(scene: PersonScene, teammate: Teammate, about: CardAbout): Promise<MemoryPost> {
  const { unit, deps } = scene;
  const words = scene.words.memory;
  const asker = askerOf(scene.person, about);
  const { memories, others } = await deps.memories.list(unit.db, asker);
  // The last page may have become empty meanwhile.
  const page = Math.min(about.page, Math.max(0, Math.ceil(memories.length / shownAtOnce) - 1));
  const from = page * shownAtOnce;
  const shown = memories.slice(from, from + shownAtOnce);
  const lines = [];
  for (const [index, memory] of shown.entries()) lines.push(await lineOf(scene, asker, memory, from + index + 1));
  const name = plain(teammate.name);
  const text = [
    memories.length === 0 ? words.nothing(name) : [words.title(name), "", ...lines].join("\n"),
    ...(others > 0 ? [words.others(others)] : []),
  ].join("\n\n");
  const isLast = from + shownAtOnce >= memories.length;
  return { text, buttons: await listButtons(scene, { ...about, page }, shown, isLast) };
}

async function lineOf(scene: PersonScene, asker: Asker, memory: Memory, nth: number): Promise<string> {
  const words = scene.words.memory;
  const scope = await scopeText(scene, asker, memory.scope);
  return words.line(nth, plain(clip(memory.text, longestLine)), words.notes(scope, memory.pinned));
}

async function scopeText({ unit, deps, words }: PersonScene, { view }: Asker, scope: MemoryScope): Promise<string> {
  const { scopes } = words.memory;
  switch (scope.kind) {
    case "everywhere":
      return scopes.everywhere;
    case "person":
      return scopes.you;
    case "place": {
      if (scope.placeId === view.placeId) return scopes.here;
      const place = await deps.places.get(unit.db, scope.placeId);
      return place?.title == null ? scopes.elsewhere : scopes.place(plain(place.title));
    }
  }
}

async function listButtons(
  scene: PersonScene,
  about: CardAbout,
  shown: readonly Memory[],
  isLast: boolean,
): Promise<readonly (readonly Button[])[]> {
  const { buttons } = scene.words.memory;
  const nth = (index: number) => String(about.page * shownAtOnce + index + 1);
  const choices = [
    ...shown.map(({ id, revision }, index) => choice(nth(index), "memory_open", { ...about, memoryId: id, revision })),
    choice("back", "memory_list", { ...about, page: about.page - 1 }),
    choice("more", "memory_list", { ...about, page: about.page + 1 }),
    choice("add", "memory_add", about),
    choice("clear", "memory_clear_ask", about),
  ];
  const token = await issue(scene, choices);
  const numbers = shown.map((_, index) => ({ label: nth(index), token: token(nth(index)) }));
  const turning = [
    ...(about.page > 0 ? [{ label: buttons.back, token: token("back") }] : []),
    ...(isLast ? [] : [{ label: buttons.more, token: token("more") }]),
  ];
  const mayClear = allows(scene.person.role, "manager");
  return [
    numbers.slice(0, buttonsInRow),
    numbers.slice(buttonsInRow),
    [...turning, { label: buttons.add, token: token("add"), opensForm: true }],
    mayClear ? [{ label: buttons.forgetAll, token: token("clear") }] : [],
  ].filter((row) => row.length > 0);
}

/** One memory in full, with what may be done to it. */
export async function memoryCard(
  scene: PersonScene,
  teammate: Teammate,
  about: CardAbout,
  memory: Memory,
): Promise<MemoryPost> {
  const { deps, words } = scene;
  const asker = askerOf(scene.person, about);
  const changed = words.commands.ago(deps.clock.now().getTime() - memory.updatedAt.getTime());
  const notes = words.memory.notes(await scopeText(scene, asker, memory.scope), memory.pinned, changed);
  const text = [words.memory.title(plain(teammate.name)), plain(memory.text), notes].join("\n\n");
  return { text, buttons: await memoryButtons(scene, asker, about, memory) };
}

async function memoryButtons(
  scene: PersonScene,
  asker: Asker,
  card: CardAbout,
  memory: Memory,
): Promise<readonly (readonly Button[])[]> {
  const { buttons } = scene.words.memory;
  const about: MemoryAbout = { ...card, memoryId: memory.id, revision: memory.revision };
  const isWide = memory.scope.kind === "everywhere";
  const token = await issue(scene, [
    choice("edit", "memory_edit", about),
    choice("forget", "memory_forget", about),
    choice("pin", "memory_set", { ...about, pinned: !memory.pinned }),
    choice("audience", "memory_set", { ...about, audience: isWide ? "here" : "everyone" }),
    choice("back", "memory_list", card),
  ]);
  const back = [{ label: buttons.back, token: token("back") }];
  if (!mayChange(memory.scope, asker)) return [back];
  const narrower = card.isPrivate ? buttons.you : buttons.here;
  const audience = { label: isWide ? narrower : buttons.everywhere, token: token("audience") };
  const mayWiden = mayChange({ kind: "everywhere" }, asker);
  return [
    [
      { label: buttons.edit, token: token("edit"), opensForm: true },
      { label: buttons.forget, token: token("forget") },
    ],
    [{ label: memory.pinned ? buttons.unpin : buttons.pin, token: token("pin") }, ...(mayWiden ? [audience] : [])],
    back,
  ];
}

/** Asks once more before everything is forgotten. */
export async function sureCard(scene: PersonScene, teammate: Teammate, about: CardAbout): Promise<MemoryPost> {
  const { unit, deps } = scene;
  const words = scene.words.memory;
  const count = await deps.memories.count(unit.db, teammate.id);
  const token = await issue(scene, [choice("clear", "memory_clear", about), choice("keep", "memory_list", about)]);
  return {
    text: words.sureAll(plain(teammate.name), count),
    buttons: [
      [
        { label: words.buttons.forgetAllNow, token: token("clear"), style: "danger" },
        { label: words.buttons.keep, token: token("keep") },
      ],
    ],
  };
}

function choice(key: string, action: string, payload: object): NewTokens["choices"][number] {
  return { key, action, payload };
}

/** For whom the card was made alone: what it shows depends on who looks. */
async function issue(
  { unit, deps, person }: PersonScene,
  choices: NewTokens["choices"],
): Promise<(key: string) => string> {
  const expiresAt = new Date(deps.clock.now().getTime() + lifetimeMs);
  const tokens = await issueTokens(unit, { choices, personId: person.id, expiresAt });
  return (key) => {
    const token = tokens[key];
    if (token === undefined) throw new Error(`no token was made for ${key}`);
    return token;
  };
}
