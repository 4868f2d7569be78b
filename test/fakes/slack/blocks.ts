import type { AnyBlock } from "@slack/types";
import { checkElement, checkText, fail, ids, type Loose, type Path } from "./elements.ts";
import { ApiFailure } from "./failure.ts";
import { type Fields, nestedField } from "./fields.ts";

/**
 * How many blocks, how long Markdown may be by itself and all texts together. The last one is documented nowhere: bolt-js#2509 and
 * bolt-js#2867 measured it, and that each further block costs some of it.
 */
const limits = { message: 50, view: 100, markdown: 12_000, together: 13_200, perBlock: 70 };

const messageTypes = new Set([
  "actions",
  "alert",
  "card",
  "carousel",
  "container",
  "context",
  "context_actions",
  "data_table",
  "divider",
  "file",
  "header",
  "image",
  "markdown",
  "plan",
  "rich_text",
  "section",
  "table",
  "task_card",
  "video",
]);
const viewTypes = new Set([
  "actions",
  "alert",
  "context",
  "divider",
  "header",
  "image",
  "input",
  "rich_text",
  "section",
  "video",
]);

/** The blocks of a call, checked; undefined when there is no such argument. */
export function readBlocksField(fields: Fields, name = "blocks"): AnyBlock[] | undefined {
  const blocks = nestedField(fields, name, "invalid_blocks_format");
  if (blocks === undefined || blocks === null) return undefined;
  if (!Array.isArray(blocks)) throw new ApiFailure("invalid_blocks_format");
  checkBlocks(blocks as Loose[], "message");
  return blocks as AnyBlock[];
}

/** Refuses what Slack would refuse, and says where, as Slack does. */
export function checkBlocks(blocks: readonly Loose[], surface: "message" | "view", at = ""): void {
  const path: Path = [`${at}/blocks`];
  const most = limits[surface];
  if (blocks.length > most) fail(path, `no more than ${most} items allowed`);
  const blockIds = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    const here: Path = [...path, index];
    if (typeof block !== "object" || block === null) fail(here, "must be an object");
    const allowed = surface === "message" ? messageTypes : viewTypes;
    if (!allowed.has(String(block.type))) fail([...here, "type"], `unsupported type: ${block.type}`);
    checkId(block, blockIds, here);
    checkBlock(block, here);
  }
  const total = sizeOf(blocks) + limits.perBlock * (blocks.length - 1);
  if (surface === "message" && total > limits.together) throw new ApiFailure("msg_blocks_too_long");
}

function checkId(block: Loose, known: Set<string>, path: Path): void {
  if (block.block_id === undefined) return;
  const id = ids(block.block_id, [...path, "block_id"]);
  if (known.has(id)) fail([...path, "block_id"], `block_id already exists: ${id}`);
  known.add(id);
}

function checkBlock(block: Loose, path: Path): void {
  switch (block.type) {
    case "section":
      checkSection(block, path);
      break;
    case "header":
      checkText(block.text, [...path, "text"], 150, "plain_text");
      break;
    case "markdown":
      if (typeof block.text !== "string" || block.text === "")
        fail([...path, "text"], "must be more than 0 characters");
      if (block.text.length > limits.markdown) throw new ApiFailure("msg_blocks_too_long");
      break;
    case "context":
      each(block, "elements", 10, path, (element, here) => {
        if (element.type === "image") checkImage(element, here);
        else checkText(element, here, 3000);
      });
      break;
    case "actions":
      checkActions(block, path);
      break;
    case "context_actions":
      each(block, "elements", 5, path, () => undefined);
      break;
    case "input":
      checkInput(block, path);
      break;
    case "table":
    case "data_table":
      checkTable(block, path);
      break;
    case "image":
      checkImage(block, path);
      break;
    case "rich_text":
      each(block, "elements", Number.POSITIVE_INFINITY, path, checkRichText);
      break;
    case "alert":
      checkText(block.text, [...path, "text"], 3000);
      break;
    case "card":
      checkCard(block, path);
      break;
    case "carousel":
      each(block, "elements", 10, path, checkCard);
      break;
    case "container":
      each(block, "child_blocks", 10, path, checkBlock);
      break;
    default:
      break;
  }
}

function checkSection(block: Loose, path: Path): void {
  if (block.text === undefined && block.fields === undefined) fail(path, "missing required field: text or fields");
  if (block.text !== undefined) checkText(block.text, [...path, "text"], 3000);
  if (block.fields !== undefined) each(block, "fields", 10, path, (field, here) => checkText(field, here, 2000));
  if (block.accessory !== undefined) checkElement(block.accessory as Loose, [...path, "accessory"], "section");
}

function checkActions(block: Loose, path: Path): void {
  const known = new Set<string>();
  each(block, "elements", 25, path, (element, here) => {
    checkElement(element, here, "actions");
    if (element.action_id === undefined) return;
    const id = String(element.action_id);
    if (known.has(id)) fail([...here, "action_id"], `action_id already exists: ${id}`);
    known.add(id);
  });
}

function checkInput(block: Loose, path: Path): void {
  checkText(block.label, [...path, "label"], 2000, "plain_text");
  if (block.hint !== undefined) checkText(block.hint, [...path, "hint"], 2000, "plain_text");
  if (typeof block.element !== "object" || block.element === null)
    fail([...path, "element"], "missing required field: element");
  checkElement(block.element as Loose, [...path, "element"], "input");
}

function checkTable(block: Loose, path: Path): void {
  each(block, "rows", 100, path, (row, here) => {
    if (!Array.isArray(row)) fail(here, "must be an array");
    if (row.length === 0 || row.length > 20) fail(here, "must have 1 to 20 items");
    for (const [index, cell] of (row as Loose[]).entries()) {
      if (!["rich_text", "raw_text", "raw_number"].includes(String(cell.type)))
        fail([...here, index, "type"], "unsupported cell");
      if (cell.type === "raw_text" && (typeof cell.text !== "string" || cell.text === "")) {
        fail([...here, index, "text"], "must be more than 0 characters");
      }
    }
  });
}

function checkImage(block: Loose, path: Path): void {
  if (typeof block.alt_text !== "string" || block.alt_text === "")
    fail([...path, "alt_text"], "missing required field: alt_text");
  if (block.slack_file === undefined && !/^https?:\/\//.test(String(block.image_url))) {
    fail([...path, "image_url"], "invalid url");
  }
}

function checkRichText(part: Loose, path: Path): void {
  const known = ["rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted"];
  if (!known.includes(String(part.type))) fail([...path, "type"], `unsupported type: ${part.type}`);
  if (!Array.isArray(part.elements)) fail([...path, "elements"], "missing required field: elements");
}

function checkCard(block: Loose, path: Path): void {
  for (const [name, most] of [
    ["title", 150],
    ["subtitle", 150],
    ["body", 200],
  ] as const) {
    if (block[name] !== undefined) checkText(block[name], [...path, name], most);
  }
  if (block.actions !== undefined)
    each(block, "actions", 5, path, (element, here) => checkElement(element, here, "actions"));
}

function each(block: Loose, name: string, most: number, path: Path, check: (item: Loose, path: Path) => void): void {
  const items = block[name];
  if (!Array.isArray(items)) fail([...path, name], `missing required field: ${name}`);
  if (items.length === 0) fail([...path, name], "must have at least 1 item");
  if (items.length > most) fail([...path, name], `no more than ${most} items allowed`);
  for (const [index, item] of items.entries()) check(item as Loose, [...path, name, index]);
}

/** What counts toward the size of all blocks together: the texts in them. */
function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((total: number, item) => total + sizeOf(item), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (total, [key, item]) => total + (key === "text" && typeof item === "string" ? item.length : sizeOf(item)),
    0,
  );
}
