import { type AdapterDeps, type ButtonEvent, type Form, within } from "../../src/chat/index.ts";
import type { Handover } from "./handover.ts";
import { filledIn } from "./said.ts";
import { words } from "./words.ts";

export interface FormsDeps {
  readonly form: AdapterDeps["form"];
  readonly handover: Handover;
  readonly show: (form: Form) => void;
  readonly remark: (text: string) => void;
}

const patienceMs = 2_000;

/** The form that is open, if one is: the next line is what goes into it. */
export function createForms({ form, handover, show, remark }: FormsDeps) {
  let opened: ButtonEvent | undefined;
  return {
    /** Shows the form of a button; without one the press is an ordinary one. */
    open: async (press: ButtonEvent): Promise<void> => {
      // Whoever takes the press says why there is no form. Lines wait meanwhile, so this must end.
      const found = await within(patienceMs, form(press.token, press.author.id));
      if (found === undefined) return handover.add(press);
      opened = press;
      show(found);
    },
    /** Takes a line for the form that is open; false where none is. */
    fillIn: (line: string): boolean => {
      if (opened === undefined) return false;
      const event = filledIn(line, opened);
      opened = undefined;
      if (event === undefined) remark(words.formLeft);
      else handover.add(event);
      return true;
    },
    /** Closes the form; false where none is open. */
    leave: (): boolean => {
      if (opened === undefined) return false;
      opened = undefined;
      remark(words.formLeft);
      return true;
    },
  };
}
