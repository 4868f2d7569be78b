import { invitableRoles } from "../../people/index.ts";
import { getConnection } from "../../places/index.ts";
import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { say } from "../scene.ts";

/** A code for one more person. Only in private: whoever reads it first can use it. */
export const inviteCommand: Command<"invite"> = {
  name: "invite",
  who: "admin",
  privately: true,
  async run(scene) {
    const { unit, deps, event, person } = scene;
    const words = scene.words.commands;
    const allowed = invitableRoles(person.role);
    const wanted = event.argument.trim().toLowerCase() || "member";
    const role = allowed.find((each) => each === wanted || scene.words.people.roleNames[each] === wanted);
    if (role === undefined) {
      await say(scene, words.inviteRoles(allowed.map((each) => scene.words.people.roleNames[each])));
      return handled;
    }
    const { code, expiresAt } = await deps.people.issueInvite(unit, person, role);
    const minutes = Math.round((expiresAt.getTime() - deps.clock.now().getTime()) / 60_000);
    const connection = await getConnection(unit.db, scene.connectionId);
    await say(scene, words.invite(code, scene.words.people.roleNames[role], minutes, connection?.link ?? undefined));
    return handled;
  },
};
