import { z } from "zod";
import type { Adapters, ButtonEvent } from "../../chat/index.ts";
import {
  addKeys,
  isReference,
  type KeyName,
  type McpServer,
  type McpServers,
  placeOf,
  shownPlace,
} from "../../mcp/index.ts";
import type { Outbox } from "../../outbox/index.ts";
import { allows, type People } from "../../people/index.ts";
import type { Clock } from "../../shared/index.ts";
import type { Unit } from "../../storage/index.ts";
import type { FilledForm, WebFormHandler, WebFormOutcome } from "../../web-forms/index.ts";
import { type Words, wordsFor } from "../../words/index.ts";
import type { Card, FormAction, Pressed, UseEvent } from "../action.ts";
import type { CardAddress } from "../card-address.ts";
import { dropped, handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import { begin } from "./begin.ts";
import { waitingCard } from "./step-cards.ts";

const lifetimeMinutes = 15;
const fieldName = "key";
const about = z.object({ serverId: z.uuid() });
const keyed = about.extend({ key: z.string().nullable() });
const pagePayload = keyed.extend({ revision: z.int() });

/** Gives out a page that takes a key. */
export async function offerKeyPage(
  scene: PersonScene<ButtonEvent>,
  server: McpServer,
  _card: Card,
  payload: unknown,
): Promise<Pressed> {
  await givePage(scene, server, keyed.parse(payload).key);
  return { outcome: handled };
}

async function givePage(scene: PersonScene<UseEvent>, server: McpServer, key: KeyName): Promise<void> {
  const { unit, deps, person, words } = scene;
  const { keyPage } = words.mcp;
  const { url, opensAnywhere } = await deps.webForms.issue(unit, {
    purpose: "mcp_secret",
    personId: person.id,
    title: keyPage.title(server.name),
    intro: keyPage.intro(server.name, key ?? words.mcp.token, shownPlace(server.config)),
    fields: [{ name: fieldName, label: keyPage.label, secret: true, long: false }],
    payload: { serverId: server.id, key, revision: server.revision } satisfies z.infer<typeof pagePayload>,
    expiresAt: new Date(deps.clock.now().getTime() + lifetimeMinutes * 60_000),
  });
  const text = keyPage.card(plain(server.name), lifetimeMinutes, opensAnywhere);
  await say(scene, text, { links: [{ label: keyPage.open, url }], part: "key", purpose: "card" });
}

/** A key of another name; or, for the owner, one that is a variable of Shipmate's own environment (`NAME=env:OTHER`). */
export const keyForm: FormAction = {
  async form({ db, deps, words }, payload) {
    const server = await deps.mcp.get(db, about.parse(payload).serverId);
    const usual = server?.config.transport === "http" ? "Authorization" : undefined;
    return server && { ...words.mcp.forms.key, value: usual, long: false, required: true };
  },
  async problem({ db, deps, person, words }, payload, typed) {
    const { problems, referenceOnlyOwner } = words.mcp;
    const { name, value } = splitKey(typed);
    const server = await deps.mcp.get(db, about.parse(payload).serverId);
    if (server !== undefined && withPlace(server, name) === null) return problems.bad_key_name;
    if (value === "") return null;
    if (!isReference(value)) return problems.key_in_clear;
    return allows(person.role, "owner") ? null : referenceOnlyOwner;
  },
  async fill(scene, payload, typed, card) {
    const { unit, deps, words } = scene;
    const { name, value } = splitKey(typed);
    const server = await deps.mcp.get(unit.db, about.parse(payload).serverId);
    if (server === undefined) return { outcome: dropped("invalid"), answer: words.mcp.outcome.gone };
    const key = placeOf(server.config, name);
    if (value === "") await givePage(scene, server, key);
    else {
      const text = words.mcp.testing(plain(server.name));
      await begin(scene, card, await waitingCard(scene, text, server.id), requestFor(server, key, value));
    }
    return { outcome: handled };
  },
};

function splitKey(typed: string): { readonly name: string; readonly value: string } {
  const at = typed.indexOf("=");
  return at === -1
    ? { name: typed, value: "" }
    : { name: typed.slice(0, at).trim(), value: typed.slice(at + 1).trim() };
}

function withPlace({ config }: McpServer, name: KeyName): McpServer["config"] | null {
  const read = addKeys({ kind: "config", config, secrets: { values: {} } }, [{ name, value: "" }]);
  return read.kind === "config" ? read.config : null;
}

function requestFor(server: McpServer, key: KeyName, value: string) {
  const { id, name, teammateId, revision } = server;
  const config = withPlace(server, key);
  if (config === null) throw new Error("it was looked at before: a key without a place");
  const secrets = key === null ? { values: {}, bearer: value } : { values: { [key]: value } };
  const proposal = { name, teammateId, config };
  return { kind: "key" as const, serverId: id, baseRevision: revision, proposal, secrets };
}

export interface KeyPageDeps {
  readonly mcp: McpServers;
  readonly people: Pick<People, "get" | "dmOf">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly adapters: Adapters;
  readonly clock: Clock;
}

/** Takes the key that was written into the page: from somebody who still may, and for the server as it was then. */
export function createMcpKeyPage(deps: KeyPageDeps): WebFormHandler {
  return async (unit, filled) => {
    const person = await deps.people.get(unit.db, filled.personId);
    const words = wordsFor(person?.locale);
    const value = filled.values[fieldName] ?? "";
    const problem = problemOf(
      value,
      { isOwner: person?.role === "owner", isAdmin: person !== undefined && allows(person.role, "admin") },
      words,
    );
    if (problem !== null) return { kind: "invalid", text: problem };
    return store(deps, unit, filled, { value, locale: person?.locale ?? null });
  };
}

function problemOf(
  value: string,
  { isOwner, isAdmin }: { readonly isOwner: boolean; readonly isAdmin: boolean },
  { mcp: { keyPage } }: Words,
): string | null {
  if (!isAdmin) return keyPage.notAllowed;
  if (isReference(value)) return isOwner ? null : keyPage.onlyOwner;
  // It becomes a header's or a variable's value as it is.
  return /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/u.test(value) ? null : keyPage.notAKey;
}

async function store(
  { mcp, people, outbox, adapters, clock }: KeyPageDeps,
  unit: Unit,
  { payload, personId }: FilledForm,
  { value, locale }: { readonly value: string; readonly locale: string | null },
): Promise<WebFormOutcome> {
  const words = wordsFor(locale);
  const { serverId, key, revision } = pagePayload.parse(payload);
  const server = await mcp.get(unit.db, serverId);
  // Whoever opened the page read where the key goes; that must still be so.
  if (server === undefined || server.revision !== revision) return { kind: "over" };
  const to = await people.dmOf(unit.db, personId);
  let told: CardAddress | undefined;
  if (to !== null) {
    const lane = `owner:${to.address.channel}`;
    const { postIds } = await outbox.enqueue(unit, {
      op: "post",
      post: { text: words.mcp.testing(plain(server.name)), notify: false },
      to,
      purpose: "card",
      lane,
      dedupKey: `mcp-key:${serverId}:${clock.now().getTime()}`,
    });
    const [postId] = postIds;
    if (postId !== undefined) {
      const { connectionId, address, placeKind } = to;
      const commandPrefix = adapters.get(connectionId)?.capabilities.commandPrefix;
      told = { connectionId, ...address, placeKind, lane, locale, commandPrefix, target: { postId } };
    }
  }
  await mcp.request(unit, { ...requestFor(server, key, value), personId, told });
  return { kind: "done", text: words.mcp.keyPage.taken };
}
