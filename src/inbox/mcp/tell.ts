import type { McpNews, McpOutcome } from "../../mcp/index.ts";
import type { Outbox } from "../../outbox/index.ts";
import type { People } from "../../people/index.ts";
import type { Unit } from "../../storage/index.ts";
import { type Words, wordsFor } from "../../words/index.ts";
import { cardAddressShape, drawAt } from "../card-address.ts";
import { plain } from "../scene.ts";
import { serverCard } from "./server-card.ts";
import { failureWords } from "./server-words.ts";
import { noteCard, signInCard } from "./step-cards.ts";
import type { McpPost, View } from "./view.ts";

export interface TellDeps {
  readonly deps: View["deps"];
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly people: Pick<People, "get" | "dmOf">;
}

/** Tells what became of a change: on the card where it was asked for. A teammate reads it by itself, unless its turn was cut off meanwhile. */
export function tellMcp({ deps, outbox, people }: TellDeps) {
  return async (unit: Unit, news: McpNews): Promise<void> => {
    const { change } = news;
    const card = cardAddressShape.safeParse(change.told).data;
    if (card !== undefined) {
      const view = { unit, deps, words: wordsFor(card.locale) };
      const shown = await cardOf(view, news);
      const dedupKey = `mcp:${change.id}:${news.outcome.kind}:${news.signInUrl === null ? "told" : "sign-in"}`;
      return drawAt(outbox, unit, card, { shown, dedupKey });
    }
    if (change.personId === null || change.teammateId === null || change.tries <= 1) return;
    const to = await people.dmOf(unit.db, change.personId);
    if (to === null) return;
    const person = await people.get(unit.db, change.personId);
    const shown = await cardOf({ unit, deps, words: wordsFor(person?.locale) }, news);
    await outbox.enqueue(unit, {
      op: "post",
      post: { ...shown, notify: true },
      to,
      purpose: "card",
      lane: `owner:${to.address.channel}`,
      dedupKey: `mcp:${change.id}:late`,
    });
  };
}

async function cardOf(view: View, news: McpNews): Promise<McpPost> {
  const { outcome, change, signInUrl } = news;
  const id = outcome.kind === "done" ? outcome.serverId : change.serverId;
  const server = id === null ? undefined : await view.deps.mcp.get(view.unit.db, id);
  const name = plain(server?.name ?? change.proposal?.name ?? "");
  if (server !== undefined && signInUrl !== null) return signInCard(view, server, signInUrl);
  const note = noteOf(news, name, view.words);
  if (server === undefined) return noteCard(view, note ?? view.words.mcp.outcome.gone);
  return serverCard(
    view,
    server,
    server.state === "needs_secret" && change.kind === "key" ? refused(view.words) : note,
  );
}

function refused({ mcp }: Words): string {
  return mcp.outcome.keyRefused;
}

function noteOf({ outcome, change }: McpNews, name: string, words: Words): string | undefined {
  const { outcome: say } = words.mcp;
  switch (outcome.kind) {
    case "done":
      return doneWords(outcome, change.kind, name, words);
    case "unreachable": {
      const why = failureWords(outcome.failure, words);
      if (change.kind === "add") return say.notSaved(name, why);
      return change.kind === "change" ? say.notChanged(name, why) : say.notTested(name, why);
    }
    case "name_taken":
      return say.nameTaken(name);
    case "too_many":
      return say.tooMany;
    case "gone":
    case "denied":
      return say.gone;
    case "sign_in_over":
      return say.signInOver;
  }
}

function doneWords(
  { dropped }: McpOutcome & { kind: "done" },
  kind: McpNews["change"]["kind"],
  name: string,
  { mcp: { outcome: say } }: Words,
): string | undefined {
  switch (kind) {
    case "add":
      return say.added;
    case "change":
      return dropped ? `${say.changed} ${say.dropped}` : say.changed;
    case "key":
      return say.keySet;
    case "remove":
      return say.removed(name);
    case "test":
    case "sign_in":
    case "signed_in":
      return undefined;
  }
}
