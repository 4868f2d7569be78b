/** A refusal as Slack words it: HTTP 200 with `ok: false`, but for the few with a status of their own. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: number;
  /** What stands beside `error` in the answer. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    error: string,
    more: {
      status?: number;
      fields?: Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(error);
    this.status = more.status ?? 200;
    this.fields = more.fields ?? {};
    this.headers = more.headers ?? {};
  }
}

/** `invalid_arguments` and its kin say where, in `response_metadata.messages`. */
export function refusal(error: string, ...messages: string[]): ApiFailure {
  return new ApiFailure(error, { fields: messages.length > 0 ? { response_metadata: { messages } } : {} });
}
