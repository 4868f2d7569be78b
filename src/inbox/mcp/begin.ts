import type { McpServers } from "../../mcp/index.ts";
import { type Card, redraw, type UseEvent } from "../action.ts";
import { type CardAddress, pressedCard, saidCard } from "../card-address.ts";
import type { CommandScene } from "../command.ts";
import { type PersonScene, say } from "../scene.ts";
import type { McpPost } from "./view.ts";

type Request = Omit<Parameters<McpServers["request"]>[1], "personId" | "told">;

/** Shows that something is being done, and asks for it; the same card tells what came of it. */
export async function begin(
  scene: PersonScene<UseEvent> | (PersonScene & CommandScene),
  card: Card | null,
  shown: McpPost,
  request: Request,
): Promise<void> {
  const { unit, deps, person } = scene;
  const told = await show(scene, card, shown);
  await deps.mcp.request(unit, { ...request, personId: person.id, told });
}

async function show(scene: PersonScene, card: Card | null, shown: McpPost): Promise<CardAddress | undefined> {
  if (card?.messageId !== undefined) {
    await redraw(scene, card, shown);
    return pressedCard(scene, { messageId: card.messageId, onlyFor: card.onlyFor });
  }
  const [postId] = await say(scene, shown.text, { ...shown, part: "mcp", purpose: "card" });
  return postId === undefined ? undefined : saidCard(scene, postId);
}
