import { clockTime, readZone } from "../../shared/index.ts";
import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { plain, say } from "../scene.ts";

/** `/zone lisbon`: where somebody lives, by the clock. Times are told to them there, and their routines keep to it. */
export const zoneCommand: Command<"zone"> = {
  name: "zone",
  who: "person",
  async run(scene) {
    const { unit, deps, event, person } = scene;
    const words = scene.words.commands;
    const now = deps.clock.now();
    const timeIn = (zone: string | null) => clockTime(now, now, zone, person.locale);
    const given = event.argument.trim();
    if (given === "") {
      await say(
        scene,
        person.timezone === null ? words.zoneUnknown : words.zone(person.timezone, timeIn(person.timezone)),
      );
      return handled;
    }
    const read = readZone(given);
    if (read.kind === "unknown") {
      await say(scene, words.noSuchZone(plain(given.slice(0, 60)), read.near));
      return handled;
    }
    await deps.people.setTimezone(unit, person.id, read.zone);
    await say(scene, words.zoneSet(read.zone, timeIn(read.zone)));
    return handled;
  },
};
