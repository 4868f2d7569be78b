import { type APIMessageTopLevelComponent, ComponentType } from "discord-api-types/v10";

/** A component as it may arrive: of any type and with any field, right or wrong. */
export interface Given {
  readonly type?: number;
  readonly id?: number;
  readonly custom_id?: unknown;
  readonly label?: unknown;
  readonly style?: unknown;
  readonly url?: unknown;
  readonly emoji?: unknown;
  readonly placeholder?: string;
  readonly min_values?: number;
  readonly max_values?: number;
  readonly options?: readonly {
    readonly label?: unknown;
    readonly value?: unknown;
    readonly description?: unknown;
    readonly default?: boolean;
  }[];
  readonly content?: unknown;
  readonly disabled?: boolean;
  readonly components?: readonly Given[];
  readonly accessory?: Given;
  readonly items?: readonly { readonly media?: { readonly url?: string } }[];
  readonly media?: { readonly url?: string };
  readonly file?: { readonly url?: string };
}

export const selects = new Set<number>([
  ComponentType.StringSelect,
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
]);
/** Every component with where it stands, also those inside others. */
export function flatten(components: readonly Given[], path = "components"): { component: Given; path: string }[] {
  return components.flatMap((component, at) => {
    const here = `${path}.${at}`;
    return [
      { component, path: here },
      ...flatten(component.components ?? [], `${here}.components`),
      ...(component.accessory ? [{ component: component.accessory, path: `${here}.accessory` }] : []),
    ];
  });
}

/** What Discord fills in where a bot said nothing. */
const defaults: Readonly<Record<number, object>> = {
  [ComponentType.StringSelect]: { min_values: 1, max_values: 1 },
  [ComponentType.Separator]: { divider: true, spacing: 1 },
  [ComponentType.Container]: { accent_color: null, spoiler: false },
  [ComponentType.Thumbnail]: { description: null, spoiler: false },
  [ComponentType.File]: { spoiler: false },
};

/** Components as they come back: with what was left out, and each with an id, counted in the order they stand. */
export function fillIn(components: readonly APIMessageTopLevelComponent[]): APIMessageTopLevelComponent[] {
  let next = 0;
  const fill = (component: Given): Given => {
    next += 1;
    const id = component.id || next;
    return {
      ...defaults[component.type ?? 0],
      ...component,
      id,
      ...(component.components ? { components: component.components.map(fill) } : {}),
      ...(component.accessory ? { accessory: fill(component.accessory) } : {}),
      ...(component.items
        ? { items: component.items.map((item) => ({ description: null, spoiler: false, ...item })) }
        : {}),
    };
  };
  return (components as readonly Given[]).map(fill) as unknown as APIMessageTopLevelComponent[];
}

/** True where something can be pressed or chosen. */
export function isInteractive(components: readonly APIMessageTopLevelComponent[]): boolean {
  return flatten(components as readonly Given[]).some(
    ({ component }) => component.custom_id !== undefined || selects.has(component.type ?? 0),
  );
}

/** Buttons and lists of a message in the order they stand. */
export function controls(components: readonly APIMessageTopLevelComponent[]): Given[] {
  return flatten(components as readonly Given[]).map(({ component }) => component);
}
