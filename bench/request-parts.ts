import { z } from "zod";

/** A model request in bytes: the whole, and what it is made of. */
export interface RequestParts {
  readonly all: number;
  readonly tools: number;
  /** What Codex and we tell the model, besides its tools. */
  readonly developer: number;
  /** What people say, with what surrounds it. */
  readonly prompt: number;
}

const requestShape = z.object({
  tools: z.array(z.unknown()).default([]),
  instructions: z.string().default(""),
  input: z.array(z.looseObject({ role: z.string().optional() })),
});

export function partsOf(text: string): RequestParts {
  const { tools, instructions, input } = requestShape.parse(JSON.parse(text));
  const isTold = ({ role }: { readonly role?: string | undefined }) => role === "developer" || role === "system";
  return {
    all: Buffer.byteLength(text),
    tools: bytesOf(tools),
    developer: bytesOf(instructions) + bytesOf(input.filter(isTold)),
    prompt: bytesOf(input.filter((each) => !isTold(each))),
  };
}

/** What the one has more than the other. */
export function moreIn(one: RequestParts, other: RequestParts): RequestParts {
  return {
    all: one.all - other.all,
    tools: one.tools - other.tools,
    developer: one.developer - other.developer,
    prompt: one.prompt - other.prompt,
  };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
