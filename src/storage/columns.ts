import type { ColumnType, GeneratedAlways, JSONColumnType } from "kysely";

/** Kinds of columns. A jsonb column is `unknown` when read: the room that owns it parses it with zod. */
export type Json = JSONColumnType<object, string, string>;
export type JsonOrNull = ColumnType<unknown, string | null | undefined, string | null>;
/** bigint arrives as a string from pg. */
export type BigIdentity = GeneratedAlways<string>;
export type Timestamp = ColumnType<Date, Date | undefined, Date>;
export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
