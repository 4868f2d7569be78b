// Generated from "codex app-server generate-ts --experimental" by npm run generate:protocol. Do not edit.

/** The Codex version these types were made from. */
export const protocolVersion = "0.171.0";
