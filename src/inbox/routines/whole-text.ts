import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { safeFileName } from "../../chat/index.ts";
import { newId } from "../../shared/index.ts";
import { destination, type PersonScene } from "../scene.ts";
import { privateChat } from "./outside-page.ts";

/** What a routine does, as a file, in private where we can: a card shows the beginning. The file is there before its post is committed. */
export async function sendWhole(scene: PersonScene, name: string, text: string): Promise<void> {
  const { deps, unit, place, connectionId, event } = scene;
  const chat = await privateChat(scene);
  const to = chat ?? destination(scene);
  const fileName = safeFileName(`${name}.md`, "routine.md");
  const path = join(deps.cardFolder, `${newId()}-routine.md`);
  await mkdir(deps.cardFolder, { recursive: true, mode: 0o700 });
  await writeFile(path, `${text}\n`, { mode: 0o600 });
  await deps.outbox.enqueue(unit, {
    op: "upload",
    file: { path, name: fileName },
    to,
    purpose: "file",
    lane: chat === null || place.kind === "dm" ? `place:${place.id}` : `owner:${chat.address.channel}`,
    dedupKey: `inbox:${connectionId}:${event.key}:file`,
  });
}
