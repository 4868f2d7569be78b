import { basename, extname } from "node:path/posix";

const longest = 120;
// Names Windows refuses would break a workspace that is copied there, and cost nothing to avoid.
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

/**
 * A name that is safe on any disk, from a name somebody else chose: its last path segment, without control
 * characters, direction marks, leading dots or what shells and file systems treat specially.
 */
export function safeFileName(name: string): string {
  const last = name.toWellFormed().normalize("NFC").replaceAll("\\", "/").split("/").filter(Boolean).at(-1) ?? "";
  const plain = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[<>:"|?*`$'&;]/gu, "_")
    .replaceAll(/\s+/gu, " ")
    .replace(/^[.\-~ ]+/u, "")
    .replace(/[. ]+$/u, "");
  if (plain === "") return "file";
  const short = shortened(plain);
  return reserved.test(short) ? `_${short}` : short;
}

/** `report.pdf`, `report-2.pdf`, `report-3.pdf` … */
export function numberedName(name: string, number: number | string): string {
  if (number === 1) return name;
  const extension = extname(name);
  return `${basename(name, extension)}-${number}${extension}`;
}

function shortened(name: string): string {
  const extension = extname(name).slice(0, 16);
  const stem = basename(name, extname(name));
  // File systems count bytes: 255 of them, and a character may take four.
  let length = longest - extension.length;
  let short = stem.slice(0, length).toWellFormed();
  while (Buffer.byteLength(short + extension) > 200) {
    length -= 8;
    short = stem.slice(0, length).toWellFormed();
  }
  return short + extension;
}
