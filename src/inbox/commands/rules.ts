import { issueTokens, listRules } from "../../attention/index.ts";
import { handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import type { Command } from "./command.ts";

const longestLabel = 40;

/** What each teammate may do without asking, with a button to take each permission back. */
export const rulesCommand: Command<"rules"> = {
  name: "rules",
  who: "person",
  async run(scene) {
    const words = scene.words.commands;
    let found = false;
    for (const teammate of await scene.deps.teammates.list(scene.unit.db)) {
      const rules = await listRules(scene.unit.db, teammate.id);
      if (rules.length === 0) continue;
      found = true;
      const texts = rules.map((rule) => plain(rule.text));
      const buttons = [];
      for (const rule of rules) buttons.push([await revokeButton(scene, rule)]);
      await say(scene, words.rules(teammate.name, texts), { buttons, part: `rules:${teammate.handle}` });
    }
    if (!found) await say(scene, words.noRules);
    return handled;
  },
};

/** For its maker, and managers and above; a token of its own, so that revoking one leaves the others. */
async function revokeButton(scene: PersonScene, rule: { id: string; text: string; createdBy: string | null }) {
  const { token } = await issueTokens(scene.unit, {
    choices: [{ key: "token", action: "revoke_rule", payload: { ruleId: rule.id } }],
    personId: rule.createdBy ?? undefined,
    minRole: "manager",
  });
  const label = scene.words.commands.revoke(rule.text);
  return { label: label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label, token };
}
