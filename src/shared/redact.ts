/**
 * Removes what looks like a secret from a text. Applied before a text is cut, stored, logged or shown,
 * so that a secret cannot survive in half.
 */
export function redact(text: string): string {
  let result = text;
  for (const known of knownSecrets) result = result.replaceAll(known, mask);
  for (const { pattern, replacement } of patterns) result = result.replace(pattern, replacement);
  return result;
}

const mask = "[secret]";
const shortestSecret = 8;
// The one piece of process-wide state: a secret must be unspeakable everywhere, also where nobody thought of passing a redactor.
const knownSecrets: string[] = [];

/** Registers a secret this process holds (a bot token, a key, a database password), whatever its form. */
export function registerSecret(secret: string | undefined): void {
  if (secret === undefined || secret.length < shortestSecret || knownSecrets.includes(secret)) return;
  // The longest first: where one secret begins with another, nothing of it may be left.
  knownSecrets.push(secret);
  knownSecrets.sort((a, b) => b.length - a.length);
}

const patterns: readonly { pattern: RegExp; replacement: string }[] = [
  // Private keys in PEM form.
  {
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    replacement: mask,
  },
  // Telegram bot tokens: numeric id, colon, 35 characters.
  { pattern: /\b\d{6,12}:[A-Za-z0-9_-]{30,}\b/g, replacement: mask },
  // Discord bot tokens: the bot's id in base 64, a time, a signature.
  { pattern: /\b[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/g, replacement: mask },
  // OpenAI keys, Slack tokens, GitHub tokens, AWS access keys.
  { pattern: /\bsk-[A-Za-z0-9_-]{16,}/g, replacement: mask },
  { pattern: /\bx(?:ox[abeprs]|app)-[A-Za-z0-9-]{10,}/g, replacement: mask },
  { pattern: /\b(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g, replacement: mask },
  { pattern: /\bAKIA[0-9A-Z]{16}\b/g, replacement: mask },
  // JSON web tokens.
  { pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, replacement: mask },
  // Authorization headers and passwords in URLs.
  { pattern: /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{12,}/gi, replacement: `$1 ${mask}` },
  { pattern: /\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]+):[^\s@/]+@/gi, replacement: `$1:${mask}@` },
  // key=value and "key": "value" where the key names a secret.
  {
    pattern:
      /\b([A-Za-z0-9_-]*(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token|private[_-]?key)["']?\s*[=:]\s*["']?)(?!\[secret\])[^\s"',;}&]{6,}/gi,
    replacement: `$1${mask}`,
  },
];
