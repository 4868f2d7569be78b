import {
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmissionComponent,
  type APITextInputComponent,
  ComponentType,
} from "discord-api-types/v10";
import { idProblems, lengthProblems } from "./component-rules.ts";
import { badLength, type Problem, required, tooLong } from "./failure.ts";
import type { Choice, SeenField, SeenModal } from "./seen.ts";

interface Found {
  readonly input: APITextInputComponent;
  readonly label: string | undefined;
  readonly path: string;
  readonly labelPath: string;
}

/** Text fields of a dialog: in rows with a label of their own, or inside labels. */
function textFields(data: APIModalInteractionResponseCallbackData): Found[] {
  return (data.components ?? []).flatMap((row, at): Found[] => {
    const path = `data.components.${at}`;
    if (row.type === ComponentType.Label && row.component.type === ComponentType.TextInput) {
      return [{ input: row.component, label: row.label, path: `${path}.component`, labelPath: `${path}.label` }];
    }
    if (row.type !== ComponentType.ActionRow) return [];
    return row.components.map((input, index) => {
      const inner = `${path}.components.${index}`;
      return { input, label: input.label, path: inner, labelPath: `${inner}.label` };
    });
  });
}

/** What is wrong with a dialog. */
export function modalProblems(data: APIModalInteractionResponseCallbackData): Problem[] {
  const fields = textFields(data);
  const count = data.components?.length ?? 0;
  const problems = [
    ...lengthProblems(data.title, "data.title", 1, 45),
    ...idProblems(data, "data"),
    ...(count < 1 || count > 5 ? [badLength("data.components", 1, 5)] : []),
  ];
  const ids = new Set<string>();
  for (const { input, label, path, labelPath } of fields) {
    problems.push(...lengthProblems(label, labelPath, 1, 45), ...idProblems(input, path));
    if (input.style !== 1 && input.style !== 2) problems.push(required(`${path}.style`));
    if ((input.placeholder?.length ?? 0) > 100) problems.push(tooLong(`${path}.placeholder`, 100));
    const max = input.max_length ?? 4000;
    if (max < 1 || max > 4000) problems.push(range(`${path}.max_length`, 1, 4000));
    if (input.min_length !== undefined && (input.min_length < 0 || input.min_length > max)) {
      problems.push(range(`${path}.min_length`, 0, max));
    }
    if ((input.value?.length ?? 0) > max) problems.push(tooLong(`${path}.value`, max));
    if (ids.has(input.custom_id)) {
      const message = "Component custom id cannot be duplicated";
      problems.push({ path: `${path}.custom_id`, code: "COMPONENT_CUSTOM_ID_DUPLICATED", message });
    }
    ids.add(input.custom_id);
  }
  return problems;
}

const range = (path: string, min: number, max: number): Problem => ({
  path,
  code: "NUMBER_TYPE_RANGE",
  message: `int value should be greater than or equal to ${min} and less than or equal to ${max}.`,
});

export function choiceProblems(choices: readonly Choice[] | undefined): Problem[] {
  const problems: Problem[] = (choices?.length ?? 0) > 25 ? [badLength("data.choices", 0, 25)] : [];
  choices?.forEach(({ name, value }, at) => {
    problems.push(...lengthProblems(name, `data.choices.${at}.name`, 1, 100));
    if (typeof value === "string") problems.push(...lengthProblems(value, `data.choices.${at}.value`, 1, 100));
  });
  return problems;
}

export function seeModal(data: APIModalInteractionResponseCallbackData): SeenModal {
  const fields = textFields(data).map(
    ({ input, label }): SeenField => ({
      customId: input.custom_id,
      label: label ?? "",
      value: input.value ?? "",
      placeholder: input.placeholder,
      long: input.style === 2,
      required: input.required ?? true,
      minLength: input.min_length ?? 0,
      maxLength: input.max_length ?? 4000,
    }),
  );
  return { customId: data.custom_id, title: data.title, fields };
}

/** The components of a submission, in the shape they were asked in. */
export function filledIn(data: APIModalInteractionResponseCallbackData, values: Readonly<Record<string, string>>) {
  const fill = ({ custom_id }: APITextInputComponent, id: number) => ({
    type: ComponentType.TextInput as const,
    id,
    custom_id,
    value: values[custom_id] ?? "",
  });
  return data.components.flatMap((row, at): APIModalSubmissionComponent[] => {
    const id = at * 10 + 1;
    if (row.type === ComponentType.Label && row.component.type === ComponentType.TextInput) {
      return [{ type: ComponentType.Label as const, id, component: fill(row.component, id + 1) }];
    }
    if (row.type === ComponentType.TextDisplay) return [{ type: ComponentType.TextDisplay as const, id }];
    if (row.type !== ComponentType.ActionRow) return [];
    const components = row.components.map((input, index) => fill(input, id + 1 + index));
    return [{ type: ComponentType.ActionRow as const, id, components }];
  });
}
