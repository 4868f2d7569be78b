import { type ListedModel, listModels } from "../access/index.ts";
import type { Db } from "../storage/index.ts";
import type { ToolRooms } from "./rooms.ts";

const mostWithoutQuery = 8;
const mostFound = 20;

type Rooms = Pick<ToolRooms, "db" | "teammates">;

/** Whether a model can be chosen; as long as nobody said which there are, any can. */
export async function isKnown(db: Db, model: string | null | undefined): Promise<boolean> {
  if (model === null || model === undefined) return true;
  const models = await listModels(db);
  return models.length === 0 || models.some(({ id }) => id === model);
}

export async function unknownModel(rooms: Rooms): Promise<string> {
  return `Nothing changed: there is no such model. There are:\n${await modelAnswer(rooms)}`;
}

/** What there is: by a query, or the default, what colleagues use, and the first of the rest. */
export async function modelAnswer(rooms: Rooms, query?: string): Promise<string> {
  const wanted = query?.trim() ?? "";
  if (wanted !== "") {
    const found = await listModels(rooms.db, wanted);
    if (found.length === 0) return `No model has ${JSON.stringify(wanted)} in its name.`;
    return answer(found, mostFound);
  }
  const models = await listModels(rooms.db);
  if (models.length === 0) return "Which models there are is not known yet. Leave the model as it is.";
  const inUse = new Set((await rooms.teammates.everyone(rooms.db)).map(({ model }) => model));
  const rank = ({ id, isDefault }: ListedModel) => (isDefault ? 0 : inUse.has(id) ? 1 : 2);
  return answer(
    models.toSorted((one, other) => rank(one) - rank(other)),
    mostWithoutQuery,
  );
}

function answer(models: readonly ListedModel[], most: number): string {
  const lines = models.slice(0, most).map(({ id, name, efforts, isDefault }) => {
    return JSON.stringify({ id, name, efforts, ...(isDefault && { default: true }) });
  });
  const left = models.length - lines.length;
  return left === 0 ? lines.join("\n") : [...lines, `omittedModels: ${left}`].join("\n");
}
