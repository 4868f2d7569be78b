import type { Loose } from "./flatten.ts";
import type { Delivery } from "./sockets.ts";
import { changeView, checkedView, stackView } from "./views.ts";
import type { ViewRecord, World } from "./world.ts";

/** Does to a modal what the acknowledgement of its submission says: nothing said closes it. */
export function answerSubmission(world: World, record: ViewRecord, delivery: Delivery): void {
  const settle = () => {
    if (delivery.state === "waiting") return;
    stop();
    if (delivery.state === "failed") {
      record.errors = { "": "We had some trouble connecting. Try again?" };
    } else {
      const ack = (delivery.ack ?? {}) as Loose;
      followUp(world, record, ack);
    }
    world.changed();
  };
  const stop = world.onChange(settle);
  settle();
}

function followUp(world: World, record: ViewRecord, ack: Loose): void {
  const stack = world.modals.get(record.userId) ?? [];
  switch (ack.response_action) {
    case "errors":
      record.errors = ack.errors as Record<string, string>;
      return;
    case "update":
      changeView(world, record, checkedView(world, ack.view as Loose, "modal"));
      return;
    case "push":
      stackView(world, record.userId, checkedView(world, ack.view as Loose, "modal"));
      return;
    case "clear":
      world.modals.delete(record.userId);
      return;
    default:
      world.modals.set(
        record.userId,
        stack.filter((one) => one !== record),
      );
  }
}
