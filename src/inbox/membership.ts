import type { MembershipEvent } from "../chat/index.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { askWhoMayAsk } from "./place-card.ts";
import type { Scene } from "./scene.ts";
import { strangerReason } from "./strangers.ts";

/** We were added to a place, removed from it, or it got another id. */
export async function takeMembership(scene: Scene<MembershipEvent>): Promise<Outcome> {
  const { unit, deps, place, event, connectionId } = scene;
  switch (event.change) {
    case "removed":
      await deps.places.archive(unit, place.id);
      return handled;
    case "moved":
      if (event.movedTo === undefined) return handled;
      await deps.places.move(unit, place.id, event.movedTo);
      await deps.outbox.moveUnsent(unit, connectionId, place.channel, event.movedTo);
      return handled;
    case "added":
      if (place.kind === "dm" || place.access !== "closed") return handled;
      // Whoever adds a bot they do not belong to gets no answer: anyone can add a bot to anything.
      if (scene.person === null) return dropped(await strangerReason(scene));
      await askWhoMayAsk(scene);
      return handled;
  }
}
