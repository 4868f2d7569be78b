import type { Role } from "../../people/index.ts";
import { accesses, autonomies, efforts, type Profile, type Teammate } from "../../teammates/index.ts";
import type { Words } from "../../words/index.ts";
import type { View } from "./views.ts";

export type Setting =
  | Pick<Profile, "autonomy">
  | Pick<Profile, "access">
  | Pick<Profile, "effort">
  | Pick<Profile, "busyMode">
  | Pick<Profile, "notifications">;

interface Option {
  readonly label: string;
  readonly description?: string | undefined;
  readonly current: boolean;
  readonly set: Setting;
  readonly minRole?: Role | undefined;
}

interface Setter {
  readonly label: string;
  readonly options: readonly Option[];
}

type TeammateWords = Words["teammates"];

/** The lists of a view. */
export function optionsIn(view: View, teammate: Teammate, words: TeammateWords): readonly Setter[] {
  switch (view) {
    case "settings":
      return [autonomySetter(teammate, words), accessSetter(teammate, words)];
    case "model":
      return [effortSetter(teammate, words)];
    case "facts":
    case "edit":
    case "more":
      return [];
  }
}

function autonomySetter(teammate: Teammate, words: TeammateWords): Setter {
  const options = autonomies.map((each) => ({
    label: words.autonomy[each],
    current: each === teammate.autonomy,
    set: { autonomy: each },
    minRole: each === "autonomous" ? ("admin" as const) : undefined,
  }));
  return { label: words.labels.autonomy, options };
}

function accessSetter(teammate: Teammate, words: TeammateWords): Setter {
  const options = accesses.map((each) => ({
    label: words.access[each],
    description: words.accessNote[each],
    current: each === teammate.access,
    set: { access: each },
    minRole: each === "full" ? ("admin" as const) : undefined,
  }));
  return { label: words.labels.access, options };
}

function effortSetter(teammate: Teammate, words: TeammateWords): Setter {
  const options = [null, ...efforts].map((each) => ({
    label: each === null ? words.usual : words.effort[each],
    current: each === teammate.effort,
    set: { effort: each },
  }));
  return { label: words.labels.effort, options };
}

export function effortName(effort: string | null, words: TeammateWords): string {
  const known = efforts.find((each) => each === effort);
  return known === undefined ? (effort ?? words.usual) : words.effort[known];
}

/** What has two sides: the button says what it does, the card what holds. */
export function switches({ busyMode, notifications }: Teammate, words: TeammateWords) {
  const other = busyMode === "steer" ? "queue" : "steer";
  return [
    { label: words.letMessages[other], set: { busyMode: other } },
    { label: notifications ? words.beQuiet : words.beHeard, set: { notifications: !notifications } },
  ] as const satisfies readonly { readonly label: string; readonly set: Setting }[];
}
