/** Codes of Node and its HTTP client for a connection that was never made, so that the request was certainly not carried out. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Whether a failed request never left this machine; any other may have been carried out. Looks through what SDKs wrap around the error. */
export function wasNeverSent(error: unknown): boolean {
  for (let inner: unknown = error, depth = 0; depth < 4; depth += 1) {
    if (typeof inner !== "object" || inner === null) return false;
    if ("code" in inner && neverSent.has(String(inner.code))) return true;
    inner =
      "original" in inner ? inner.original : "error" in inner ? inner.error : "cause" in inner ? inner.cause : null;
  }
  return false;
}
