import { readFile } from "node:fs/promises";
import { MessageFlags } from "discord.js";
import {
  type Address,
  delivered,
  nothingSent,
  type OutboundFile,
  type Receipt,
  safeFileName,
  sizeToSend,
} from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import type { Directory } from "./directory.ts";
import { toFailure } from "./errors.ts";
import { boostedUploadBytes, uploadBytes } from "./limits.ts";
import { renderCaption } from "./message.ts";
import { nobody, onceOnly, reply } from "./send.ts";
import type { Spot, Threads } from "./threads.ts";

export interface UploadDeps {
  /** With the patience that files need. */
  readonly api: Api;
  readonly threads: Threads;
  readonly directory: Directory;
  readonly redact: (text: string) => string;
}

/** Shows a file in a message of its own. */
export function createUpload({ api, threads, directory, redact }: UploadDeps) {
  const limitIn = ({ channel }: Address): number => {
    const guild = directory.guild(directory.channel(channel)?.guild ?? "");
    return guild?.boosts === 2 || guild?.boosts === 3 ? boostedUploadBytes[guild.boosts] : uploadBytes;
  };

  const send = async (address: Address, spot: Spot, file: OutboundFile, key: string): Promise<string> => {
    const name = safeFileName(file.name, "file");
    const body = {
      content: renderCaption(file.caption),
      allowed_mentions: nobody,
      flags: MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications,
      attachments: [{ id: "0", filename: name }],
      ...onceOnly(key),
      ...reply(address, spot, file),
    };
    const data = await readFile(file.path);
    const message = await api.send(spot.channel, body, [
      { name, data, ...(file.mime ? { contentType: file.mime } : {}) },
    ]);
    return message.id;
  };

  return async (address: Address, file: OutboundFile, key: string): Promise<Receipt> => {
    const size = await sizeToSend(file, "Discord", limitIn(address));
    if (typeof size !== "number") return size;
    const spot = await threads.open(address).catch((error: unknown) => nothingSent(toFailure(error, redact)));
    if ("outcome" in spot) return spot;
    return send(address, spot, file, key).then(delivered, (error: unknown) => toFailure(error, redact));
  };
}
