import { allows, type People } from "../../people/index.ts";
import type { Calendars } from "../../routines/index.ts";
import type { WebFormHandler } from "../../web-forms/index.ts";
import { wordsFor } from "../../words/index.ts";
import { type Action, redraw } from "../action.ts";
import { handled, type Outcome } from "../outcome.ts";
import { canBePrivate, type PersonScene, say } from "../scene.ts";
import { calendarCard } from "./calendar-card.ts";
import { offerPage, reachesAlone } from "./outside-page.ts";

/** `/routine calendar`: never where others read along. */
export async function showCalendar(scene: PersonScene): Promise<Outcome> {
  const { person, words } = scene;
  const text = allows(person.role, "member") ? words.commands.inPrivate : words.routines.membersOnly;
  if (!canBePrivate(scene) || !allows(person.role, "member")) await say(scene, text);
  else {
    const card = await calendarCard(scene);
    await say(scene, card.text, { ...card, purpose: "card" });
  }
  return handled;
}

/** What its buttons do, by the action of their tokens. */
export const calendarActions: Readonly<Record<string, Action>> = {
  async routine_calendar_make(scene, _payload, card) {
    const { unit, deps, person, words } = scene;
    if (!(await reachesAlone(scene))) return { outcome: handled, answer: words.outside.writeFirst, stays: true };
    const { page, made } = words.outside.calendarCard;
    // The old address ends now; the new one begins when the page is used.
    await deps.calendars.turnOff(unit, person.id);
    const pressed = await offerPage(scene, {
      purpose: "calendar_address",
      ...page,
      payload: {},
      text: made,
      part: "calendar-page",
    });
    await redraw(scene, card, await calendarCard(scene));
    return pressed;
  },

  async routine_calendar_off(scene, _payload, card) {
    const { unit, deps, person, words } = scene;
    await deps.calendars.turnOff(unit, person.id);
    await redraw(scene, card, await calendarCard(scene));
    return { outcome: handled, answer: words.outside.calendarCard.turnedOff };
  },
};

export interface CalendarPageDeps {
  readonly calendars: Pick<Calendars, "renew">;
  readonly people: Pick<People, "get">;
}

/** Makes the address and shows it, once: only a hash of it is kept. */
export function createCalendarPage({ calendars, people }: CalendarPageDeps): WebFormHandler {
  return async (unit, { personId }) => {
    const person = await people.get(unit.db, personId);
    if (person === undefined || !allows(person.role, "member")) return { kind: "over" };
    const { page } = wordsFor(person.locale).outside.calendarCard;
    const { url, opensAnywhere } = await calendars.renew(unit, personId);
    const texts = [{ label: page.address, text: url }];
    return { kind: "done", text: page.text(opensAnywhere), shown: { title: page.title, texts } };
  };
}
