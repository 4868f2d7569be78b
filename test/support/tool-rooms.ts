import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { createMind } from "../../src/app/mind.ts";
import { createPeople } from "../../src/people/index.ts";
import { createRoutines } from "../../src/routines/index.ts";
import { type Seal, silentLog, systemClock } from "../../src/shared/index.ts";
import type { Database } from "../../src/storage/index.ts";
import type { ToolRooms } from "../../src/tools/index.ts";

const unused: Seal = {
  close: () => Buffer.from(""),
  open: () => "",
};

/** Rooms behind which there is no database: enough to see which tools there are, and for those that need none. */
export function roomsWithoutDatabase(): ToolRooms {
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (each) => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const clock = systemClock;
  const queues = { add: async () => {} };
  const nothing = async () => undefined;
  const deliver = async () => ({ deliveryId: "" });
  return {
    ...createMind({ home: "/nowhere", seal: unused, queues, clock, log: silentLog }),
    routines: createRoutines({
      clock,
      log: silentLog,
      queues,
      deliver,
      cancelLane: nothing,
      stopLane: nothing,
      tellAuthor: nothing,
    }),
    db,
    log: silentLog,
    clock,
    people: createPeople({ clock }),
  };
}

/** Whose call it is, where a tool does not care. */
export const somebody = {
  runId: "run-1",
  conversationId: "conversation-1",
  placeId: "place-1",
  thread: "",
  isPrivate: true,
  teammateId: "teammate-1",
  requesterId: null,
  trigger: "message",
} as const;
