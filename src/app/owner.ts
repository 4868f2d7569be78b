import { userInfo } from "node:os";
import type { Author } from "../chat/index.ts";
import { type Log, newCode, systemClock } from "../shared/index.ts";
import { inTransaction, type Storage } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import type { Gateway, LiveConnection } from "./gateway.ts";
import type { Rooms } from "./rooms.ts";

/** Whoever sits at the terminal, as the terminal adapter names them. */
const localAuthor: Author = { id: "local", name: userInfo().username, isBot: false };

export interface OwnerDeps {
  readonly storage: Storage;
  readonly gateway: Gateway;
  readonly rooms: Rooms;
  readonly ownerCode: string | undefined;
  readonly log: Log;
  readonly say: (line: string) => void;
}

/** Until somebody owns this Shipmate nothing runs: says how to claim it, or lets the person at the terminal in. */
export async function offerClaim({ storage, gateway, rooms, ownerCode, log, say }: OwnerDeps): Promise<void> {
  const { db } = storage;
  const words = wordsFor(undefined).start;
  const owned = await rooms.people.hasOwner(db);
  const local = gateway.connected.find((live) => live.spec.local);
  if (local) return letIn(local);
  if (owned) return;
  const code = ownerCode ?? newCode();
  await inTransaction(db, log, (unit) => rooms.people.issueOwnerCode(unit, code));
  if (gateway.connected.length === 0) return;
  say(words.unowned(code));
  for (const { spec, account } of gateway.connected) {
    if (account.link) say(words.reach(spec, account.link, account.addLink));
  }

  /** Goes the way of every newcomer, code and greeting included. */
  async function letIn(live: LiveConnection): Promise<void> {
    const code = await inTransaction(db, log, async (unit) => {
      const identity = await rooms.people.meet(unit, live.connection.id, localAuthor);
      if (identity.person) return undefined;
      const [owner] = await rooms.people.owners(unit.db);
      if (owner) return (await rooms.people.issueInvite(unit, owner, "admin")).code;
      const fresh = newCode();
      await rooms.people.issueOwnerCode(unit, fresh);
      return fresh;
    });
    if (code === undefined) return;
    await rooms.inbox.sink(live.connection.id)({
      kind: "command",
      key: `claim:${code}`,
      place: { channel: "terminal", kind: "dm" },
      author: localAuthor,
      name: "start",
      argument: code,
      sentAt: systemClock.now(),
    });
  }
}
