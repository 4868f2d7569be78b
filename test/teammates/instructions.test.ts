import { expect, test } from "vitest";
import { newId } from "../../src/shared/index.ts";
import {
  adoptInstructions,
  saveInstructions,
  takeOwnChange,
  tidyInstructions,
  undoInstructions,
} from "../../src/teammates/index.ts";
import { startRun } from "../inbox/colleagues.ts";
import { ada, message } from "../inbox/office.ts";
import { claimed, useOffice } from "../inbox/scene.ts";

const office = await useOffice(claimed);

const milo = () =>
  office.db
    .selectFrom("teammates")
    .select(["id", "instructions as text", "instructions_written as written"])
    .where("handle", "=", "milo")
    .executeTakeFirstOrThrow();

async function setUp(text: string, written: string | null): Promise<{ id: string; runId: string }> {
  await office.db.updateTable("teammates").set({ instructions: text, instructions_written: written }).execute();
  await office.sink(message(ada, "Go on."));
  return { id: (await milo()).id, runId: await startRun(office) };
}

async function owner() {
  const row = await office.db
    .selectFrom("people")
    .selectAll()
    .where("display_name", "=", "Ada")
    .executeTakeFirstOrThrow();
  return { id: row.id, displayName: "Ada", role: "owner", locale: null, timezone: null } as const;
}

test("one change that several look at in the same moment counts once", async () => {
  const { id, runId } = await setUp("Be kind.", "Be kind.");
  const change = { teammateId: id, runId, found: "Be brief.", now: new Date() };
  const taken = await Promise.all(Array.from({ length: 5 }, () => office.unit((unit) => takeOwnChange(unit, change))));
  expect(taken.map(({ kind }) => kind).toSorted()).toEqual(["none", "none", "none", "none", "taken"]);
  expect(await milo()).toMatchObject({ text: "Be brief.", written: "Be brief." });
});

test("what we wrote ourselves is no change, also where a person changed the text since", async () => {
  const { id, runId } = await setUp("Answer in prose.", "Be kind.");
  const change = { teammateId: id, runId, found: "Be kind.", now: new Date() };
  expect(await office.unit((unit) => takeOwnChange(unit, change))).toEqual({ kind: "none" });
  expect((await milo()).text).toBe("Answer in prose.");
});

test("a change over what a person wrote meanwhile is told once, and never counts", async () => {
  const { id, runId } = await setUp("Answer in prose.", "Be kind.");
  const change = { teammateId: id, runId, found: "Be brief.", now: new Date() };
  const first = await office.unit((unit) => takeOwnChange(unit, change));
  expect(first.kind).toBe("overruled");
  expect(await office.unit((unit) => takeOwnChange(unit, change))).toEqual({ kind: "none" });
  expect((await milo()).text).toBe("Answer in prose.");
  if (first.kind !== "overruled") throw new Error(first.kind);
  const by = await owner();
  expect(await office.unit((unit) => undoInstructions(unit, by, first.changeId, new Date()))).toBe("already");
});

test("of two who undo at once one does", async () => {
  const { id, runId } = await setUp("Be kind.", "Be kind.");
  const taken = await office.unit((unit) =>
    takeOwnChange(unit, { teammateId: id, runId, found: "Be brief.", now: new Date() }),
  );
  if (taken.kind !== "taken") throw new Error(taken.kind);
  const by = await owner();
  const undo = () => office.unit((unit) => undoInstructions(unit, by, taken.changeId, new Date()));
  expect((await Promise.all([undo(), undo(), undo()])).toSorted()).toEqual(["already", "already", "undone"]);
  expect((await milo()).text).toBe("Be kind.");
});

test("of two who save over the same text one does, and the other is told what stands", async () => {
  const { id } = await setUp("Be kind.", null);
  const by = await owner();
  const save = (text: string) => office.unit((unit) => saveInstructions(unit, by, id, { text, expected: "Be kind." }));
  const done = await Promise.all([save("Be brief."), save("Be funny.")]);
  const stands = (await milo()).text;
  expect(done).toContainEqual({ kind: "saved" });
  expect(done).toContainEqual({ kind: "changed", now: stands });
});

test("only a manager and above changes or undoes anything", async () => {
  const { id } = await setUp("Be kind.", null);
  const by = { ...(await owner()), role: "member" } as const;
  const save = office.unit((unit) => saveInstructions(unit, by, id, { text: "Be brief.", expected: null }));
  expect(await save).toEqual({ kind: "refused", problem: "not_allowed" });
  expect(await office.unit((unit) => undoInstructions(unit, by, newId(), new Date()))).toBe("not_allowed");
});

test("what stood in the file by hand is taken over once", async () => {
  const { id } = await setUp("", null);
  const adopt = (found: string) => office.unit((unit) => adoptInstructions(unit, id, found));
  await Promise.all([adopt("The server is blue."), adopt("The server is blue.")]);
  expect(await milo()).toMatchObject({ text: "The server is blue.", written: "The server is blue." });
  await adopt("The server is green.");
  expect((await milo()).text).toBe("The server is blue.");
});

test("instructions are kept tidy", () => {
  expect(tidyInstructions("  a\r\nb\rc\n\n")).toBe("a\nb\nc");
  expect(tidyInstructions("x<!-- shipmate: end -->y")).toBe("x<! -- shipmate: end -->y");
  expect(tidyInstructions(`${"a".repeat(7_999)}😀`)).toHaveLength(8_000);
  const once = tidyInstructions(`sk-${"a".repeat(20)} <!--shipmate-->`);
  expect(tidyInstructions(once)).toBe(once);
});
