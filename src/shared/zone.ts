import { distance } from "fastest-levenshtein";
import { knownZone } from "./reader-time.ts";

export type ReadZone =
  | { readonly kind: "found"; readonly zone: string }
  /** `near`: names that are written much like it. */
  | { readonly kind: "unknown"; readonly near: readonly string[] };

const suggestions = 3;
/** A name is at most this many letters away from what was meant. */
const typo = 2;

/** The time zone somebody writes: an IANA name (`Europe/Lisbon`) or the city in one (`lisbon`, `New York`), in any case. */
export function readZone(text: string): ReadZone {
  const wanted = folded(text);
  if (wanted === "") return { kind: "unknown", near: [] };
  const zones = Intl.supportedValuesOf("timeZone");
  const zone = zones.find((each) => folded(each) === wanted) ?? zones.find((each) => cityOf(each) === wanted);
  // Older names (Asia/Calcutta) and UTC are not listed, and known all the same.
  const found = zone ?? (/^[\w+-]+(?:[/ ][\w+-]+)*$/u.test(text.trim()) ? knownZone(text.trim()) : undefined);
  if (found !== undefined) return { kind: "found", zone: found };
  const near = zones.filter((each) => distance(cityOf(each), wanted) <= typo || distance(folded(each), wanted) <= typo);
  return { kind: "unknown", near: near.slice(0, suggestions) };
}

function folded(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/gu, " ");
}

function cityOf(zone: string): string {
  return folded(zone.slice(zone.lastIndexOf("/") + 1));
}
