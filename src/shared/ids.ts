import { createHash, randomBytes } from "node:crypto";
import { v7 } from "uuid";

/** A row id: UUID version 7, so that ids sort by the time they were made. */
export function newId(): string {
  return v7();
}

/** 16 random bytes as 22 base64url characters: fits any platform's button payload (Telegram takes 64 bytes). */
export function newToken(): string {
  return randomBytes(16).toString("base64url");
}

/** Letters and digits that nobody mixes up when reading a code aloud. */
const codeAlphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** A code a person types: two groups of four characters (about 40 bits), such as `K7QD-2MXR`. */
export function newCode(): string {
  const letters = Array.from(randomBytes(8), (byte) => codeAlphabet[byte % codeAlphabet.length]);
  return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}

/** What is stored instead of a token or a code (SHA-256, hex). */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
