import { join } from "node:path";
import { createAttention } from "../attention/index.ts";
import type { Adapters } from "../chat/index.ts";
import { createInbox, type SystemLine } from "../inbox/index.ts";
import { createMailbox } from "../mailbox/index.ts";
import { createOutbox } from "../outbox/index.ts";
import { createPeople } from "../people/index.ts";
import { createPlaces, setConnectionState } from "../places/index.ts";
import { createRunControl } from "../runs/index.ts";
import { type Log, type Seal, systemClock } from "../shared/index.ts";
import type { Storage } from "../storage/index.ts";
import { createMind } from "./mind.ts";

export type Rooms = ReturnType<typeof createRooms>;

export interface RoomsDeps {
  readonly storage: Storage;
  readonly adapters: Adapters;
  /** SHIPMATE_HOME. */
  readonly home: string;
  /** For what must not be read in the database. */
  readonly seal: Seal;
  readonly log: Log;
  /** What the owner's /status says about this installation. */
  readonly system: () => Promise<readonly SystemLine[]>;
}

/** Builds what every role shares. Nothing runs yet. */
export function createRooms({ storage, adapters, home, seal, log, system }: RoomsDeps) {
  const { db, queues } = storage;
  const clock = systemClock;
  const people = createPeople({ clock });
  const places = createPlaces({ clock });
  const mind = createMind({ home, seal, clock, log });
  const outbox = createOutbox({ db, adapters, queues, people, setConnectionState, clock, log });
  const mailbox = createMailbox({ db, log, clock, queues, outbox });
  const cardFolder = join(home, "cards");
  const attention = createAttention({
    outbox,
    queues,
    people,
    adapters,
    deliver: mailbox.deliver,
    folder: cardFolder,
    clock,
    log,
  });
  const runs = createRunControl({ queues, mailbox, clock });
  const inbox = createInbox({
    db,
    people,
    places,
    ...mind,
    mailbox,
    outbox,
    attention,
    runs,
    queues,
    adapters,
    system,
    clock,
    log,
  });
  return { ...mind, clock, people, places, outbox, mailbox, attention, inbox, cardFolder };
}
