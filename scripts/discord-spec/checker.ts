import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { z } from "zod";
import type { Call } from "../../test/fakes/discord/index.ts";

const content = z.object({ content: z.record(z.string(), z.unknown()).optional() });
const operation = z.object({ requestBody: content.optional(), responses: z.record(z.string(), content.loose()) });
export const specification = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
type Specification = z.infer<typeof specification>;

/** An event of the gateway. */
export interface Seen {
  readonly event: string;
  readonly data: unknown;
}

/** Where the description is behind the documentation: codes of field errors are words, and forwards have references too. */
const corrections: Readonly<Record<string, unknown>> = {
  Error: { type: "object", properties: { message: { type: "string" } }, required: ["code", "message"] },
  MessageReferenceType: { type: "integer", enum: [0, 1] },
};

/** Which events carry something that the description knows too. */
const eventSchemas: Readonly<Record<string, string>> = {
  MESSAGE_CREATE: "MessageResponse",
  MESSAGE_UPDATE: "MessageResponse",
  CHANNEL_CREATE: "GuildChannelResponse",
  THREAD_CREATE: "ThreadResponse",
};

/** Compares calls and events with the description: what is wrong, and what it does not know. */
export function createChecker(spec: Specification) {
  // The description uses formats and keywords of OpenAPI that JSON Schema does not know.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, verbose: true });
  const { components } = spec;
  const schemas = { ...components.schemas, ...corrections };
  ajv.addSchema({ ...spec, components: { ...components, schemas } }, "discord");
  const wrong = new Set<string>();
  const unknown = new Set<string>();
  const checked = new Set<string>();

  const check = (pointer: string, value: unknown, where: string) => {
    const validate = ajv.getSchema(`discord#/${pointer}`);
    checked.add(where);
    if (!validate) unknown.add(where);
    else if (!validate(value)) for (const error of telling(validate.errors ?? [])) wrong.add(`${where} ${error}`);
  };
  const call = ({ route, path, body, status, result }: Call) => {
    const [verb = ""] = route.split(" ");
    const found = findPath(Object.keys(spec.paths), path);
    const method = verb.toLowerCase();
    const described = found === undefined ? undefined : spec.paths[found]?.[method];
    if (found === undefined || described === undefined) return void unknown.add(route);
    const { requestBody, responses } = operation.parse(described);
    const pointer = `paths/${inPointer(found)}/${method}`;
    if (body !== undefined && requestBody && (status ?? 500) < 300) {
      check(`${pointer}/requestBody/content/application~1json/schema`, body, `${route} takes:`);
    }
    const answered = `${status}` in responses ? `${status}` : `${status}`.replace(/\d\d$/, "XX");
    const answer = responses[answered];
    if (!answer) wrong.add(`${route} answered ${status}, the description knows ${Object.keys(responses).join(", ")}`);
    else if ("$ref" in answer)
      check(`${`${answer.$ref}`.slice(2)}/content/application~1json/schema`, result, `${route} refuses:`);
    else if (answer.content)
      check(`${pointer}/responses/${answered}/content/application~1json/schema`, result, `${route} gives:`);
    else if (result !== undefined) wrong.add(`${route} gives a body, the description has none`);
  };
  const event = ({ event: name, data }: Seen) => {
    const schema = eventSchemas[name];
    if (schema !== undefined) check(`components/schemas/${schema}`, data, `${name}:`);
  };
  const refuses = (body: unknown) =>
    ajv.getSchema("discord#/components/schemas/MessageCreateRequest")?.(body) === false;
  return { wrong, unknown, checked, call, event, refuses };
}

const inPointer = (path: string) => encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"));

/** Words of a path win over its parameters. */
function findPath(paths: readonly string[], path: string): string | undefined {
  const parts = path.split("/").map(decodeURIComponent);
  const words = (segments: readonly string[]) => segments.filter((one) => !one.startsWith("{")).length;
  return paths
    .map((one) => ({ one, segments: one.split("/") }))
    .filter(({ segments }) => segments.length === parts.length)
    .filter(({ segments }) => segments.every((segment, at) => segment.startsWith("{") || segment === parts[at]))
    .sort((a, b) => words(b.segments) - words(a.segments))[0]?.one;
}

/** Leaves out alternatives that are for another type of thing. */
function telling(errors: readonly ErrorObject[]): string[] {
  const typed = z.object({ properties: z.object({ type: z.object({ enum: z.array(z.unknown()) }) }) });
  const wanted = errors.filter(({ instancePath, keyword, parentSchema, data }) => {
    if (keyword.endsWith("Of") || instancePath.endsWith("/type")) return false;
    const type = typed.safeParse(parentSchema).data?.properties.type.enum;
    return type === undefined || (data instanceof Object && "type" in data && type.includes(data.type));
  });
  const told = wanted.length > 0 ? wanted : errors;
  return told.map(
    ({ instancePath, message, params }) => `${instancePath || "(all)"} ${message} ${JSON.stringify(params)}`,
  );
}
