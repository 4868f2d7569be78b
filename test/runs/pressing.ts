import type { Person } from "../../src/people/index.ts";
import type { Life, Room, Workshop } from "./workshop.ts";

export interface Press {
  /** Stands in the card. */
  readonly on: string | RegExp;
  /** How the button or the option of a list begins. */
  readonly label: string;
  readonly by: Person;
  readonly note?: string | undefined;
}

/** Waits for a card and presses what stands on it. */
export async function pressIn({ shop, life }: { shop: Workshop; life: Life }, room: Room, press: Press) {
  const card = await shop.shows(room, press.on);
  const all = [...card.buttons, ...card.selects.flatMap(({ options }) => options)];
  const button = all.find((each) => each.label.startsWith(press.label));
  if (button === undefined) throw new Error(`No button ${press.label} on: ${all.map((each) => each.label)}`);
  return shop.unit((unit) => life.attention.press(unit, button.token, press.by, undefined, press.note));
}
