import type { ResponseParameters } from "@grammyjs/types";

/** A refusal as Telegram words it; the HTTP status is the code. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly code: number;
  readonly parameters: ResponseParameters | undefined;
  constructor(code: number, description: string, parameters?: ResponseParameters) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(description: string): ApiFailure {
  return new ApiFailure(400, `Bad Request: ${description}`);
}

export function forbidden(description: string): ApiFailure {
  return new ApiFailure(403, `Forbidden: ${description}`);
}
