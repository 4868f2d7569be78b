import { ApiFailure, refusal } from "./failure.ts";

/** The arguments of a call, whichever way they were sent. */
export type Fields = Readonly<Record<string, unknown>>;

export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  return String(value);
}

/** Refuses as Slack does where an argument that must be there is not. */
export function requiredField(fields: Fields, name: string): string {
  const value = textField(fields, name);
  if (value === undefined || value === "")
    throw refusal("invalid_arguments", `[ERROR] missing required field: ${name}`);
  return value;
}

export function flagField(fields: Fields, name: string): boolean {
  return ["true", "1"].includes(String(fields[name] ?? "").toLowerCase());
}

export function numberField(fields: Fields, name: string, otherwise: number): number {
  const value = textField(fields, name);
  if (value === undefined || value === "") return otherwise;
  if (!/^-?\d+$/.test(value)) throw refusal("invalid_arguments", `[ERROR] must be an integer [json-pointer:/${name}]`);
  return Number(value);
}

/** A nested value: JSON in a form, itself in a JSON body. */
export function nestedField(fields: Fields, name: string, error = "invalid_arguments"): unknown {
  const value = fields[name];
  if (typeof value !== "string") return value ?? undefined;
  if (value.trim() === "") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw new ApiFailure(error);
  }
}

/** One page of a list, and the cursor of the next one. */
export function page<T>(items: readonly T[], fields: Fields, most: number, usual: number) {
  const limit = numberField(fields, "limit", usual);
  if (limit < 1 || limit > most) throw new ApiFailure("invalid_limit");
  const cursor = textField(fields, "cursor") ?? "";
  const start = cursor === "" ? 0 : Number(/^next:(\d+)$/.exec(Buffer.from(cursor, "base64").toString())?.[1] ?? "-1");
  if (start < 0) throw new ApiFailure("invalid_cursor");
  const end = start + limit;
  const more = end < items.length;
  return {
    items: items.slice(start, end),
    more,
    response_metadata: { next_cursor: more ? Buffer.from(`next:${end}`).toString("base64") : "" },
  };
}
