import { z } from "zod";
import { periods } from "../../usage/index.ts";
import { type Action, type FormAction, redraw } from "../action.ts";
import { handled } from "../outcome.ts";
import { usageCard } from "./card.ts";
import { sendPicture } from "./picture.ts";

const chosen = z.object({ period: z.enum(periods) });

/** What its buttons do, by the action of their tokens. */
export const usageActions: Readonly<Record<string, Action>> = {
  async usage_show(scene, payload, card) {
    await redraw(scene, card, await usageCard(scene, chosen.parse(payload).period));
    return { outcome: handled };
  },

  async usage_picture(scene, payload, card) {
    const { period } = chosen.parse(payload);
    await sendPicture(scene, period);
    // Its buttons are used up with this press.
    await redraw(scene, card, await usageCard(scene, period));
    return { outcome: handled, answer: scene.words.usage.drawn };
  },
};

/** The buttons that ask for something written. */
export const usageForms: Readonly<Record<string, FormAction>> = {};
