import type { Button, Post } from "../../src/chat/index.ts";

export interface NumberedButton extends Button {
  readonly number: number;
  readonly messageId: string;
}

/** The buttons that can be pressed now, by the number shown on them; numbers start again when no card is open. */
export interface Cards {
  /** Opens, changes or (without buttons) closes the card of a message. Buttons that stay keep their number. */
  set(messageId: string, card: Pick<Post, "buttons" | "selects">): readonly NumberedButton[];
  find(number: number): NumberedButton | undefined;
}

export function createCards(): Cards {
  let open: readonly NumberedButton[] = [];
  return {
    set(messageId, { buttons = [], selects = [] }) {
      const before = open.filter((button) => button.messageId === messageId);
      open = open.filter((button) => button.messageId !== messageId);
      let last = Math.max(0, ...open.map((button) => button.number));
      const options: readonly Button[] = selects.flatMap((select) => select.options);
      const numbered = [...options, ...buttons.flat()].map((button): NumberedButton => {
        const kept = before.find((other) => other.token === button.token)?.number;
        if (kept === undefined) last += 1;
        return { ...button, messageId, number: kept ?? last };
      });
      open = [...open, ...numbered];
      return numbered;
    },
    find: (number) => open.find((button) => button.number === number),
  };
}
