import { ApiFailure } from "./failure.ts";
import { type Loose, list, optionsOf } from "./flatten.ts";

export type { Loose };
export type Path = readonly (string | number)[];

/** `invalid_blocks`, with the place as Slack writes it. */
export function fail(path: Path, message: string): never {
  const detail = `${message} [json-pointer:${path.join("/")}]`;
  throw new ApiFailure("invalid_blocks", {
    fields: { errors: [detail], response_metadata: { messages: [`[ERROR] ${detail}`] } },
  });
}

export function ids(value: unknown, path: Path): string {
  if (typeof value !== "string" || value === "") return fail(path, "must be more than 0 characters");
  if (value.length > 255) fail(path, "must be less than 256 characters");
  return value;
}

export function checkText(value: unknown, path: Path, most: number, only?: "plain_text"): void {
  if (typeof value !== "object" || value === null) fail(path, "missing required field: text");
  const { type, text } = value as Loose;
  if (type !== "plain_text" && (only !== undefined || type !== "mrkdwn"))
    fail([...path, "type"], `unsupported type: ${type}`);
  if (typeof text !== "string" || text === "") fail([...path, "text"], "must be more than 0 characters");
  if (text.length > most) fail([...path, "text"], `must be less than ${most + 1} characters`);
}

const selects = ["static_select", "users_select", "conversations_select", "channels_select", "external_select"];
const multiSelects = selects.map((type) => `multi_${type}`);
const choosers = [
  ...selects,
  ...multiSelects,
  "overflow",
  "radio_buttons",
  "checkboxes",
  "datepicker",
  "timepicker",
  "datetimepicker",
];
const allowed = {
  actions: new Set([...choosers, "button", "workflow_button", "rich_text_input"]),
  section: new Set([...choosers, "button", "workflow_button", "image"]),
  input: new Set([
    ...choosers.filter((type) => type !== "overflow"),
    "plain_text_input",
    "email_text_input",
    "url_text_input",
    "number_input",
    "rich_text_input",
    "file_input",
  ]),
};

export function checkElement(element: Loose, path: Path, where: keyof typeof allowed): void {
  if (!allowed[where].has(String(element.type))) fail([...path, "type"], `unsupported type: ${element.type}`);
  if (element.action_id !== undefined) ids(element.action_id, [...path, "action_id"]);
  if (element.placeholder !== undefined) checkText(element.placeholder, [...path, "placeholder"], 150, "plain_text");
  if (element.confirm !== undefined) checkConfirm(element.confirm as Loose, [...path, "confirm"]);
  if (element.type === "button") checkButton(element, path);
  if (["static_select", "multi_static_select"].includes(String(element.type))) checkOptions(element, path, 100);
  if (element.type === "overflow") checkOptions(element, path, 5);
  if (["radio_buttons", "checkboxes"].includes(String(element.type))) checkOptions(element, path, 10);
  if (element.type === "plain_text_input") checkInputLimits(element, path);
}

function checkButton(element: Loose, path: Path): void {
  checkText(element.text, [...path, "text"], 75, "plain_text");
  if (element.value !== undefined && String(element.value).length > 2000)
    fail([...path, "value"], "must be less than 2001 characters");
  if (element.url !== undefined && String(element.url).length > 3000)
    fail([...path, "url"], "must be less than 3001 characters");
  if (element.style !== undefined && !["primary", "danger"].includes(String(element.style))) {
    fail([...path, "style"], `must be a valid enum value: ${element.style}`);
  }
}

function checkOptions(element: Loose, path: Path, most: number): void {
  const options = optionsOf(element);
  if (options.length === 0) fail([...path, "options"], "must have at least 1 item");
  if (list(element.options).length > most) fail([...path, "options"], `no more than ${most} items allowed`);
  for (const [index, option] of options.entries()) {
    const here = [...path, "options", index];
    checkText(option.text, [...here, "text"], 75);
    const value = option.value;
    if (typeof value !== "string" || value === "" || value.length > 150)
      fail([...here, "value"], "must be less than 151 characters");
    if (option.description !== undefined) checkText(option.description, [...here, "description"], 75);
  }
  const initial = element.initial_option as Loose | undefined;
  if (initial === undefined) return;
  // Compared whole: the same text, value and description.
  const known = options.some((option) => JSON.stringify(sorted(option)) === JSON.stringify(sorted(initial)));
  if (!known) fail([...path, "initial_option"], "must be one of the provided options");
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([key, item]) => [key, sorted(item)])
    .sort(([a], [b]) => String(a).localeCompare(String(b)));
}

function checkInputLimits(element: Loose, path: Path): void {
  const most = Number(element.max_length ?? 3000);
  if (most < 1 || most > 3000) fail([...path, "max_length"], "must be between 1 and 3000");
  if (String(element.initial_value ?? "").length > most)
    fail([...path, "initial_value"], `must be less than ${most + 1} characters`);
}

function checkConfirm(confirm: Loose, path: Path): void {
  checkText(confirm.title, [...path, "title"], 100, "plain_text");
  checkText(confirm.text, [...path, "text"], 300);
  checkText(confirm.confirm, [...path, "confirm"], 30, "plain_text");
  checkText(confirm.deny, [...path, "deny"], 30, "plain_text");
}
