/** Every migration, in order; only ever added to. A release never changes one that was shipped. */
import type { Migration } from "kysely/migration";
import { up as initial } from "./0001-initial.ts";
import { up as retention } from "./0002-retention.ts";
import { up as severalPlatforms } from "./0003-several-platforms.ts";
import { up as aTeammatesMind } from "./0004-a-teammates-mind.ts";
import { up as routines } from "./0005-routines.ts";

export const migrations: Readonly<Record<string, Migration>> = {
  "0001-initial": { up: initial },
  "0002-retention": { up: retention },
  "0003-several-platforms": { up: severalPlatforms },
  "0004-a-teammates-mind": { up: aTeammatesMind },
  "0005-routines": { up: routines },
};
