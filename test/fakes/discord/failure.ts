/** A refusal as Discord words it: HTTP status, JSON error code, message, and for 50035 a tree of what is wrong where. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: number;
  readonly code: number;
  readonly errors: ErrorTree | undefined;
  /** For a 429. */
  readonly retryAfter: number | undefined;
  readonly global: boolean;
  constructor(status: number, code: number, message: string, more: FailureDetails = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.retryAfter = more.retryAfter;
    this.global = more.global ?? false;
  }
}

interface FailureDetails {
  readonly errors?: ErrorTree | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly global?: boolean | undefined;
}

export interface ErrorTree {
  [key: string]: ErrorTree | readonly FieldError[];
}

export interface FieldError {
  readonly code: string;
  readonly message: string;
}

/** Something wrong in the body; `path` is where, such as `components.0.components.1.custom_id`. */
export interface Problem extends FieldError {
  readonly path: string;
}

export const unauthorized = () => new ApiFailure(401, 0, "401: Unauthorized");
export const notFound = () => new ApiFailure(404, 0, "404: Not Found");
export const missingAccess = () => new ApiFailure(403, 50001, "Missing Access");
export const missingPermissions = () => new ApiFailure(403, 50013, "Missing Permissions");
export const unknownChannel = () => new ApiFailure(404, 10003, "Unknown Channel");
export const unknownMessage = () => new ApiFailure(404, 10008, "Unknown Message");
export const unknownWebhook = () => new ApiFailure(404, 10015, "Unknown Webhook");
export const unknownUser = () => new ApiFailure(404, 10013, "Unknown User");
export const unknownInteraction = () => new ApiFailure(404, 10062, "Unknown interaction");
export const emptyMessage = () => new ApiFailure(400, 50006, "Cannot send an empty message");
export const rateLimited = (retryAfter: number, global: boolean) =>
  new ApiFailure(429, 0, "You are being rate limited.", { retryAfter, global });

/** 50035 with its tree; nothing when nothing is wrong. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const errors: ErrorTree = {};
  for (const { path, code, message } of problems) {
    let node = errors;
    for (const key of path === "" ? [] : path.split(".")) {
      const next = node[key] ?? {};
      node[key] = next;
      node = next as ErrorTree;
    }
    node._errors = [...((node._errors as readonly FieldError[] | undefined) ?? []), { code, message }];
  }
  throw new ApiFailure(400, 50035, "Invalid Form Body", { errors });
}

export const tooLong = (path: string, max: number): Problem => ({
  path,
  code: "BASE_TYPE_MAX_LENGTH",
  message: `Must be ${max} or fewer in length.`,
});
export const badLength = (path: string, min: number, max: number): Problem => ({
  path,
  code: "BASE_TYPE_BAD_LENGTH",
  message: `Must be between ${min} and ${max} in length.`,
});
export const required = (path: string): Problem => ({
  path,
  code: "BASE_TYPE_REQUIRED",
  message: "This field is required",
});
