import { type ApprovalRule, issueTokens, listRules } from "../../attention/index.ts";
import { type Button, clip } from "../../chat/index.ts";
import type { Teammate } from "../../teammates/index.ts";
import { type Card, redraw } from "../action.ts";
import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";

const longestLabel = 40;

/** What each teammate may do without asking, with a button to take each permission back. */
export const rulesCommand: Command<"rules"> = {
  name: "rules",
  who: "person",
  privately: true,
  async run(scene) {
    let found = false;
    for (const teammate of await scene.deps.teammates.list(scene.unit.db)) {
      const list = await rulesOf(scene, teammate);
      if (list === null) continue;
      found = true;
      await say(scene, list.text, { buttons: list.buttons, part: `rules:${teammate.handle}` });
    }
    if (!found) await say(scene, scene.words.commands.noRules);
    return handled;
  },
};

interface RulesList {
  readonly text: string;
  readonly buttons: readonly (readonly Button[])[];
}

async function rulesOf(scene: PersonScene, teammate: Pick<Teammate, "id" | "name">): Promise<RulesList | null> {
  const rules = await listRules(scene.unit.db, teammate.id);
  if (rules.length === 0) return null;
  const buttons = [];
  for (const rule of rules) buttons.push([await revokeButton(scene, rule)]);
  return {
    text: scene.words.commands.rules(
      teammate.name,
      rules.map((rule) => plain(rule.text)),
    ),
    buttons,
  };
}

/** Shows in the list itself what is left after a rule was taken back. */
export async function showRulesLeft(scene: PersonScene, card: Card, teammateId: string): Promise<void> {
  const teammate = await scene.deps.teammates.get(scene.unit.db, teammateId);
  const list = teammate && (await rulesOf(scene, teammate));
  await redraw(scene, card, list ?? { text: scene.words.commands.noRules });
}

/** For its maker, and managers and above; a token of its own, so that revoking one leaves the others. */
async function revokeButton(scene: PersonScene, rule: ApprovalRule) {
  const { token } = await issueTokens(scene.unit, {
    choices: [{ key: "token", action: "revoke_rule", payload: { ruleId: rule.id, teammateId: rule.teammateId } }],
    personId: rule.createdBy ?? undefined,
    minRole: "manager",
  });
  return { label: clip(scene.words.commands.revoke(rule.text), longestLabel), token };
}
