import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import { type MemoryRow, toMemory } from "./memories.store.ts";
import type { Memory, Viewpoint } from "./memory.ts";

export interface PacketRows {
  readonly generation: number;
  readonly changedAt: Date | null;
  readonly imported: boolean;
  /** The best first. */
  readonly memories: readonly Memory[];
}

/** A teammate that remembers no more than this is told all of it. */
const fewMemories = 12;
const bestMatches = 8;

/**
 * What there is to be told at one point of view, in one statement. A word that many memories have says less than one that
 * few have, so that "the" and "what" find nothing by themselves, in any language.
 */
export async function packetRows(db: Db, view: Viewpoint, terms: readonly string[]): Promise<PacketRows> {
  const { rows } = await sql<Nullable<MemoryRow> & TeammateRow>`
    with seen as (
      select m.*, count(*) over () as visible from memories m
      where m.teammate_id = ${view.teammateId} and ((m.place_id is null and m.person_id is null)
        or m.place_id = ${view.placeId} or m.person_id = ${view.personId}::uuid)),
    hits as (
      select s.id, 1.0 / count(*) over (partition by term) as weight
      from seen s join unnest(${terms}::text[]) as term on s.words @@ to_tsquery('simple', term)),
    scored as (
      select s.*, coalesce((select sum(h.weight) from hits h where h.id = s.id), 0) as score from seen s),
    ranked as (
      select *, row_number() over (partition by pinned order by score desc, updated_at desc) as nth from scored)
    select t.memory_generation as generation, t.memory_changed_at as "changedAt",
      t.memory_imported_at is not null as imported,
      r.id, r.teammate_id, r.place_id, r.person_id, r.text, r.pinned, r.revision, r.updated_at
    from teammates t left join ranked r
      on r.pinned or r.visible <= ${fewMemories} or (r.score > 0 and r.nth <= ${bestMatches})
    where t.id = ${view.teammateId}
    order by r.pinned desc, r.score desc, r.updated_at desc`.execute(db);
  const [first] = rows;
  if (!first) throw new Error("there is no such teammate");
  const { generation, changedAt, imported } = first;
  return { generation, changedAt, imported, memories: rows.flatMap((row) => (hasMemory(row) ? [toMemory(row)] : [])) };
}

type Nullable<Row> = { readonly [Key in keyof Row]: Row[Key] | null };

interface TeammateRow {
  readonly generation: number;
  readonly changedAt: Date | null;
  readonly imported: boolean;
}

function hasMemory(row: Nullable<MemoryRow>): row is MemoryRow {
  return row.id !== null;
}

/** Which of these texts have any of the terms, by the same measure, the best first. */
export async function rankTexts(
  db: Db,
  texts: readonly { readonly id: string; readonly text: string }[],
  terms: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    with hits as (
      select t.id, 1.0 / count(*) over (partition by term) as weight
      from unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ text }) => text)}::text[]) as t (id, text)
        join unnest(${terms}::text[]) as term on to_tsvector('simple', t.text) @@ to_tsquery('simple', term))
    select id from hits group by id order by sum(weight) desc, id desc`.execute(db);
  return rows.map(({ id }) => id);
}
