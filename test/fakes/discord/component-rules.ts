import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import { flatten, type Given, selects } from "./components.ts";
import { badLength, type Problem, required, tooLong } from "./failure.ts";
import { textDisplays } from "./mentions.ts";

const insideContainer = [
  ComponentType.ActionRow,
  ComponentType.Section,
  ComponentType.TextDisplay,
  ComponentType.MediaGallery,
  ComponentType.File,
  ComponentType.Separator,
];

/** What is wrong with the components of a message; with the flag for Components V2 other rules hold. */
export function componentProblems(given: unknown, v2: boolean, fileNames: readonly string[]): Problem[] {
  if (!Array.isArray(given))
    return [{ path: "components", code: "LIST_TYPE_CONVERT", message: "Only iterables may be used in a ListType" }];
  const components = given as readonly Given[];
  const problems: Problem[] = [];
  const all = flatten(components);
  if (!v2 && components.length > 5) problems.push(badLength("components", 1, 5));
  if (v2 && all.length > 40)
    problems.push({
      path: "components",
      code: "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
      message: "The total number of components exceeds the maximum of 40",
    });
  const text = textDisplays(components as { type: number }[]).reduce((sum, one) => sum + one.length, 0);
  if (text > 4000)
    problems.push({
      path: "components",
      code: "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
      message: "The total displayable text size exceeds maximum size of 4000",
    });
  const allowed = v2 ? [...insideContainer, ComponentType.Container] : [ComponentType.ActionRow];
  components.forEach((one, at) => {
    problems.push(...oneProblems(one, `components.${at}`, allowed, fileNames));
  });
  return [...problems, ...duplicates(all)];
}

function duplicates(all: readonly { readonly component: Given; readonly path: string }[]): Problem[] {
  const seen = new Set<unknown>();
  const problems: Problem[] = [];
  for (const { component, path } of all) {
    const { custom_id } = component;
    if (custom_id === undefined) continue;
    if (seen.has(custom_id)) {
      const message = "Component custom id cannot be duplicated";
      problems.push({ path: `${path}.custom_id`, code: "COMPONENT_CUSTOM_ID_DUPLICATED", message });
    }
    seen.add(custom_id);
  }
  return problems;
}

function oneProblems(one: Given, path: string, allowed: readonly number[], fileNames: readonly string[]): Problem[] {
  const type = one.type ?? 0;
  if (!allowed.includes(type)) {
    const message = `Value of field "type" must be one of (${allowed.join(", ")},).`;
    return [{ path: `${path}.type`, code: "UNION_TYPE_CHOICES", message }];
  }
  const inner = one.components ?? [];
  const within = (types: readonly number[]) =>
    inner.flatMap((child, at) => oneProblems(child, `${path}.components.${at}`, types, fileNames));
  switch (type) {
    case ComponentType.ActionRow:
      return [...rowProblems(inner, path), ...within([ComponentType.Button, ...selects])];
    case ComponentType.Container:
      return [...(inner.length === 0 ? [badLength(`${path}.components`, 1, 40)] : []), ...within(insideContainer)];
    case ComponentType.Section: {
      const accessory = [ComponentType.Button, ComponentType.Thumbnail];
      return [
        ...(inner.length < 1 || inner.length > 3 ? [badLength(`${path}.components`, 1, 3)] : []),
        ...within([ComponentType.TextDisplay]),
        ...(one.accessory
          ? oneProblems(one.accessory, `${path}.accessory`, accessory, fileNames)
          : [required(`${path}.accessory`)]),
      ];
    }
    case ComponentType.TextDisplay:
      return lengthProblems(one.content, `${path}.content`, 1, 4000);
    case ComponentType.Button:
      return buttonProblems(one, path);
    case ComponentType.StringSelect:
      return [...idProblems(one, path), ...selectProblems(one, path)];
    case ComponentType.MediaGallery: {
      const items = one.items ?? [];
      const bad = items.length < 1 || items.length > 10 ? [badLength(`${path}.items`, 1, 10)] : [];
      return [
        ...bad,
        ...items.flatMap((item, at) => mediaProblems(item.media?.url, `${path}.items.${at}.media`, fileNames)),
      ];
    }
    case ComponentType.Thumbnail:
      return mediaProblems(one.media?.url, `${path}.media`, fileNames);
    case ComponentType.File:
      return mediaProblems(one.file?.url, `${path}.file`, fileNames);
    case ComponentType.Separator:
      return [];
    default:
      return idProblems(one, path);
  }
}

function rowProblems(inner: readonly Given[], path: string): Problem[] {
  const lists = inner.filter((child) => selects.has(child.type ?? 0)).length;
  if (inner.length < 1 || inner.length > 5) return [badLength(`${path}.components`, 1, 5)];
  if (lists > 0 && inner.length > 1) {
    const message = "The specified component exceeds the maximum width";
    return [{ path: `${path}.components`, code: "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message }];
  }
  return [];
}

function buttonProblems(one: Given, path: string): Problem[] {
  const problems: Problem[] = [];
  const style = typeof one.style === "number" ? one.style : 0;
  if (style < 1 || style > 6) {
    const message = "Value must be one of {1, 2, 3, 4, 5, 6}.";
    problems.push({ path: `${path}.style`, code: "BASE_TYPE_CHOICES", message });
  }
  if (style === ButtonStyle.Link) {
    problems.push(...lengthProblems(one.url, `${path}.url`, 1, 512));
    if (one.custom_id !== undefined) {
      const message = "A custom id and url cannot both be specified";
      problems.push({ path: `${path}.custom_id`, code: "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message });
    }
  } else {
    problems.push(...idProblems(one, path));
  }
  const label = typeof one.label === "string" ? one.label : "";
  if (label.length > 80) problems.push(tooLong(`${path}.label`, 80));
  if (label === "" && !one.emoji) {
    const message = "A button must have a label or emoji.";
    problems.push({ path, code: "BUTTON_COMPONENT_INVALID_MISSING_LABEL_OR_EMOJI", message });
  }
  return problems;
}

function selectProblems(one: Given, path: string): Problem[] {
  const options = one.options ?? [];
  const problems: Problem[] = [];
  if (options.length < 1 || options.length > 25) problems.push(badLength(`${path}.options`, 1, 25));
  if ((one.placeholder?.length ?? 0) > 150) problems.push(tooLong(`${path}.placeholder`, 150));
  const values = new Set<unknown>();
  options.forEach((option, at) => {
    const where = `${path}.options.${at}`;
    problems.push(...lengthProblems(option.label, `${where}.label`, 1, 100));
    problems.push(...lengthProblems(option.value, `${where}.value`, 1, 100));
    if (typeof option.description === "string") {
      problems.push(...lengthProblems(option.description, `${where}.description`, 1, 100));
    }
    if (values.has(option.value)) {
      const message = "The specified option value is already used";
      problems.push({ path: `${where}.value`, code: "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message });
    }
    values.add(option.value);
  });
  return problems;
}

export const idProblems = (one: { readonly custom_id?: unknown }, path: string): Problem[] =>
  lengthProblems(one.custom_id, `${path}.custom_id`, 1, 100);

export function lengthProblems(text: unknown, path: string, min: number, max: number): Problem[] {
  if (typeof text !== "string") return [required(path)];
  return text.length < min || text.length > max ? [badLength(path, min, max)] : [];
}

function mediaProblems(url: string | undefined, path: string, fileNames: readonly string[]): Problem[] {
  if (url === undefined) return [required(`${path}.url`)];
  const name = /^attachment:\/\/(.+)$/.exec(url)?.[1];
  if (name === undefined && !/^https?:\/\//.test(url)) {
    const message = "Not a well formed URL.";
    return [{ path: `${path}.url`, code: "URL_TYPE_INVALID_URL", message }];
  }
  if (name === undefined || fileNames.includes(name)) return [];
  const message = "The referenced attachment was not found";
  return [{ path: `${path}.url`, code: "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message }];
}
