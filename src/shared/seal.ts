import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Keeps secrets unreadable in the database and its backups: whoever has only those has nothing. */
export interface Seal {
  close(secret: string): Buffer;
  /** Throws when it was sealed with another key, or changed. */
  open(sealed: Uint8Array): string;
}

const keyFile = "secrets.key";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with the key of this data folder, made at the first use. All processes on one folder share it. */
export async function openSeal(home: string): Promise<Seal> {
  const key = await readKey(home);
  return {
    close(secret) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      return Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const text = bytes.subarray(nonceBytes, -tagBytes);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
    },
  };
}

async function readKey(home: string): Promise<Buffer> {
  const path = join(home, keyFile);
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    // Whoever comes first makes it, and it is there whole or not at all.
    const own = `${path}.${randomUUID()}`;
    await writeFile(own, randomBytes(keyBytes).toString("hex"), { flag: "wx", mode: 0o600, flush: true });
    await link(own, path).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
    await unlink(own);
  }
  const key = Buffer.from((await readFile(path, "utf8")).trim(), "hex");
  if (key.length !== keyBytes) throw new Error(`${path} is damaged: what was sealed with it cannot be read any more`);
  return key;
}
