import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIButtonComponentWithURL,
  type APIComponentInMessageActionRow,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmitInteraction,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
} from "discord.js";
import {
  type Button,
  clip,
  type Form,
  isLocalAddress,
  type Link,
  oneLine,
  type Post,
  type Select,
} from "../../src/chat/index.ts";
import {
  buttonLabelLimit,
  buttonsPerRow,
  buttonUrlLimit,
  formTitleLimit,
  formValueLimit,
  optionLabelLimit,
  optionsPerSelect,
  rowsPerMessage,
} from "./limits.ts";

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** What a component or a dialog sends back, in its custom id. */
export type Meaning =
  | { readonly kind: "press" | "form"; readonly token: string }
  | { readonly kind: "choice" }
  | { readonly kind: "about"; readonly messageId: string };

const prefixes = { press: "b:", form: "f:", choice: "s:", about: "a:" } as const;

export function meaningOf(customId: string): Meaning | undefined {
  const [prefix, rest] = [customId.slice(0, 2), customId.slice(2)];
  switch (prefix) {
    case prefixes.press:
      return { kind: "press", token: rest };
    case prefixes.form:
      return { kind: "form", token: rest };
    case prefixes.choice:
      return { kind: "choice" };
    case prefixes.about:
      return { kind: "about", messageId: rest };
    default:
      return undefined;
  }
}

/** Links, rows of buttons, then lists; five rows are all that Discord takes, and rows that are too many are filled up. */
export function toComponents({
  buttons = [],
  selects = [],
  links = [],
}: Pick<Post, "buttons" | "selects" | "links">): Row[] {
  const lists = selects
    .filter(({ options }) => options.length > 0)
    .slice(0, rowsPerMessage)
    .map(toList);
  const opened = inRows(links.filter(isButtonUrl).map(toLink));
  const rows = [...opened, ...buttons.flatMap((row) => inRows<RowButton>(row.map(toButton)))];
  const room = rowsPerMessage - lists.length;
  const fitting = rows.length <= room ? rows : inRows(rows.flat()).slice(0, room);
  return [...fitting, ...lists].map((components) => ({ type: ComponentType.ActionRow, components }));
}

function inRows<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / buttonsPerRow) }, (_, row) =>
    all.slice(row * buttonsPerRow, (row + 1) * buttonsPerRow),
  );
}

const styles = { primary: ButtonStyle.Primary, danger: ButtonStyle.Danger } as const;

type RowButton = APIButtonComponentWithCustomId | APIButtonComponentWithURL;

/** Discord refuses a whole message for the sake of one address that it does not take. */
export function isButtonUrl({ url }: Link): boolean {
  return url.length <= buttonUrlLimit && !isLocalAddress(url);
}

function toLink({ label, url }: Link): APIButtonComponentWithURL {
  return { type: ComponentType.Button, style: ButtonStyle.Link, label: cut(label, buttonLabelLimit), url };
}

function toButton({ label, token, style, opensForm }: Button): APIButtonComponentWithCustomId {
  return {
    type: ComponentType.Button,
    style: style === undefined ? ButtonStyle.Secondary : styles[style],
    label: cut(label, buttonLabelLimit),
    custom_id: `${opensForm ? prefixes.form : prefixes.press}${token}`,
  };
}

function toList({ label, options }: Select, index: number): APIStringSelectComponent[] {
  const choices = options.slice(0, optionsPerSelect).map((option) => ({
    label: cut(option.label, optionLabelLimit),
    value: option.token,
    ...(option.description ? { description: cut(option.description, optionLabelLimit) } : {}),
    ...(option.current ? { default: true } : {}),
  }));
  const placeholder = cut(label, optionLabelLimit);
  return [{ type: ComponentType.StringSelect, custom_id: `${prefixes.choice}${index}`, placeholder, options: choices }];
}

/** The dialog that a button opens. */
export function toModal(token: string, form: Form): APIModalInteractionResponseCallbackData {
  return modal(`${prefixes.form}${token}`, form);
}

/** The dialog of "Ask about this". */
export function askAboutModal(messageId: string, form: Form): APIModalInteractionResponseCallbackData {
  return modal(`${prefixes.about}${messageId}`, form);
}

function modal(
  customId: string,
  { title, label, value, long, required }: Form,
): APIModalInteractionResponseCallbackData {
  return {
    custom_id: customId,
    title: cut(title, formTitleLimit),
    components: [
      {
        type: ComponentType.Label,
        label: cut(label, formTitleLimit),
        component: {
          type: ComponentType.TextInput,
          custom_id: "value",
          style: long ? TextInputStyle.Paragraph : TextInputStyle.Short,
          required,
          max_length: formValueLimit,
          ...(value ? { value: value.slice(0, formValueLimit).toWellFormed() } : {}),
        },
      },
    ],
  };
}

/** What was written into the one field of a dialog. */
export function writtenIn({ data }: APIModalSubmitInteraction): string {
  const inputs = data.components.flatMap((row) =>
    row.type === ComponentType.Label ? [row.component] : row.type === ComponentType.ActionRow ? row.components : [],
  );
  const input = inputs.find((one) => one.type === ComponentType.TextInput);
  return input && "value" in input ? input.value : "";
}

/** The start of a label that is too long; Discord takes no empty one. */
function cut(label: string, limit: number): string {
  return clip(oneLine(label) || "…", limit);
}
