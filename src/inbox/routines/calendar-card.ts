import type { PersonScene } from "../scene.ts";
import { buttonRows, type Key, type RoutinePost } from "./tokens.ts";

/** Whether somebody has a calendar of routines, and how they get one, another address, or none. */
export async function calendarCard(scene: PersonScene): Promise<RoutinePost> {
  const { unit, deps, person, words } = scene;
  const { calendarCard: said } = words.outside;
  const isOn = await deps.calendars.isOn(unit.db, person.id);
  const make = { action: "routine_calendar_make", payload: {} };
  const row: Key[] = isOn
    ? [
        { ...make, label: said.newAddress },
        { label: said.turnOff, action: "routine_calendar_off", payload: {}, style: "danger" },
      ]
    : [{ ...make, label: said.turnOn, style: "primary" }];
  return { text: isOn ? said.on : said.off, buttons: await buttonRows(scene, [row]) };
}
