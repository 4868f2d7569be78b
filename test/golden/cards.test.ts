import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { draftText } from "../../src/routines/face.ts";
import { wordsFor } from "../../src/words/index.ts";
import { platforms } from "./platforms.ts";

/** Cards as each platform is sent them, read by people like the answers beside them. Buttons are the platform's own. */
const words = wordsFor(null);
const { routines } = words;

const draft = draftText(
  {
    kept: {
      routineId: null,
      draft: {
        kind: "routine",
        name: "Open incidents",
        instruction:
          "Post the open incidents, the oldest first,\nand say which of them nobody looks after. *No* @everyone.",
        trigger: { kind: "schedule", schedule: { kind: "weekdays", at: "08:30" } },
        timezone: "Europe/Lisbon",
        destinations: [],
        missed: "run_once",
        atLimit: "wait",
        home: { placeId: "here", thread: "" },
        newSecret: false,
      },
    },
    teammateName: "Milo",
    where: ["#ops", "Ada (in private)"],
    now: new Date("2026-11-30T12:00:00Z"),
    reader: { timezone: "Europe/Lisbon", locale: "en" },
  },
  words,
);

const list = [
  routines.title,
  "**Milo**",
  [
    routines.line(1, "Open incidents", "weekdays 08:30", [
      routines.next("tomorrow 08:30"),
      routines.run.succeeded("today 08:30"),
    ]),
    routines.line(2, "Backups", "every day 07:00", [
      routines.next("tomorrow 07:00"),
      routines.run.failed("today 07:00", "the server did not answer"),
    ]),
    routines.line(3, "News", "every 2 hours", [routines.next("today 14:00"), routines.run.quiet("today 12:00")]),
  ].join("\n"),
  "**Penny**",
  [
    routines.line(4, "Invoices", "Mondays 09:00", [routines.paused, "Ben"]),
    routines.line(5, "New orders", routines.draft.onCall, [
      routines.waitsForCall,
      routines.run.needs_attention(routines.you),
    ]),
  ].join("\n"),
].join("\n\n");

const cards = { "routine-draft": draft, "routine-list": list };

describe.each(Object.entries(platforms))("a card on %s", (platform, render) => {
  test.each(Object.entries(cards))("%s looks as it did", async (name, text) => {
    const parts = render({ text, notify: false });
    expect(parts).toHaveLength(1);
    await expect(`${parts.join("\n")}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, "cards", `${name}.${platform}.txt`),
    );
  });
});
