import { createHmac, randomUUID } from "node:crypto";

export interface HookCall {
  readonly url: string;
  readonly secret: string;
  readonly body: string | Uint8Array;
  readonly contentType?: string;
  readonly delivery?: string;
  /** When it is signed. */
  readonly at?: Date;
  /** What the headers say instead; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A call as another program makes it, written after the description of the headers and nothing of ours. */
export function callHook(call: HookCall): Promise<Response> {
  const { url, secret, body, contentType = "application/json", delivery = randomUUID(), at = new Date() } = call;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${delivery}.`).update(body).digest("hex");
  const headers = {
    "content-type": contentType,
    "shipmate-timestamp": timestamp,
    "shipmate-delivery": delivery,
    "shipmate-signature": `v1=${signature}`,
    ...call.headers,
  };
  const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fetch(url, { method: "POST", headers: Object.fromEntries(sent), body });
}
