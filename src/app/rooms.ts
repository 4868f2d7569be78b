import { join } from "node:path";
import type { SignIn } from "../access/index.ts";
import { createAttention } from "../attention/index.ts";
import type { Adapters } from "../chat/index.ts";
import {
  createCalendarPage,
  createInbox,
  createKeyPage,
  createMcpKeyPage,
  createWebhookPage,
  type SystemLine,
  showSignIn,
  tellMcp,
} from "../inbox/index.ts";
import { createMailbox } from "../mailbox/index.ts";
import { createOutbox } from "../outbox/index.ts";
import { createPeople } from "../people/index.ts";
import { createPlaces, setConnectionState } from "../places/index.ts";
import { createCalendars, createWebhooks } from "../routines/index.ts";
import { createRunControl } from "../runs/index.ts";
import type { Clock, Log, Seal } from "../shared/index.ts";
import type { Storage, Unit } from "../storage/index.ts";
import { createWebForms, type WebFormHandlers } from "../web-forms/index.ts";
import { createMind } from "./mind.ts";
import type { Address } from "./public-address.ts";
import { wireRoutines } from "./routines.ts";

export type Rooms = ReturnType<typeof createRooms>;

export interface RoomsDeps {
  readonly storage: Storage;
  readonly adapters: Adapters;
  /** SHIPMATE_HOME. */
  readonly home: string;
  /** For what must not be read in the database. */
  readonly seal: Seal;
  /** Where pages of ours are found. */
  readonly address: Address;
  readonly clock: Clock;
  readonly log: Log;
  /** What the owner's /status says about this installation. */
  readonly system: () => Promise<readonly SystemLine[]>;
}

/** Builds what every role shares. Nothing runs yet. */
export function createRooms({ storage, adapters, home, seal, address, clock, log, system }: RoomsDeps) {
  const { db, queues } = storage;
  const people = createPeople({ clock });
  const places = createPlaces({ clock });
  const mind = createMind({ home, seal, queues, clock, log });
  const webForms = createWebForms({ address, clock, log });
  const outbox = createOutbox({ db, adapters, queues, people, setConnectionState, clock, log });
  const mailbox = createMailbox({ db, log, clock, queues, outbox });
  const cardFolder = join(home, "cards");
  const attention = createAttention({
    outbox,
    queues,
    people,
    adapters,
    deliver: mailbox.deliver,
    webForms,
    seal,
    folder: cardFolder,
    clock,
    log,
  });
  const runs = createRunControl({ queues, mailbox, clock });
  const routines = wireRoutines({ queues, mailbox, runs, outbox, people, places, clock, log });
  const webhooks = createWebhooks({ routines, address, seal, clock, log });
  const calendars = createCalendars({ routines, address, clock });
  const inbox = createInbox({
    db,
    people,
    places,
    ...mind,
    mailbox,
    outbox,
    attention,
    runs,
    routines,
    webhooks,
    calendars,
    webForms,
    queues,
    adapters,
    cardFolder,
    system,
    clock,
    log,
  });
  /** Who takes what was written into a page, by what the page is for. */
  const formHandlers: WebFormHandlers = {
    question: attention.takePage,
    api_key: createKeyPage({ ...mind, people, outbox, mailbox, clock }),
    mcp_secret: createMcpKeyPage({ ...mind, people, outbox, adapters, clock }),
    webhook_secret: createWebhookPage({ routines, webhooks, people }),
    calendar_address: createCalendarPage({ calendars, people }),
  };
  return {
    ...mind,
    clock,
    people,
    places,
    outbox,
    mailbox,
    routines,
    webhooks,
    calendars,
    attention,
    inbox,
    cardFolder,
    webForms,
    formHandlers,
    tellMcp: tellMcp({ deps: { ...mind, clock }, outbox, people }),
    showSignIn: (unit: Unit, signIn: SignIn) => showSignIn(outbox, unit, signIn),
  };
}
