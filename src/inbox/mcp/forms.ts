import { z } from "zod";
import { shownPlace } from "../../mcp/index.ts";
import { allows } from "../../people/index.ts";
import { type FormAction, redraw } from "../action.ts";
import { handled } from "../outcome.ts";
import { plain } from "../scene.ts";
import { problemInPlace, problemWith, splitName, tryServer } from "./add.ts";
import { begin } from "./begin.ts";
import { listCard } from "./list-card.ts";
import { waitingCard } from "./step-cards.ts";

const about = z.object({ serverId: z.uuid() });

/** A new server, in one line as after the command. */
export const addForm: FormAction = {
  form: async ({ words }) => ({ ...words.mcp.forms.add, long: false, required: true }),
  problem: async ({ person, words }, _payload, value) =>
    problemWith(splitName(value), allows(person.role, "owner"), words),
  async fill(scene, _payload, value, card) {
    await tryServer(scene, card, splitName(value));
    return { outcome: handled };
  },
};

/** Another place for a server. */
export const changeForm: FormAction = {
  async form({ db, deps, words }, payload) {
    const server = await deps.mcp.get(db, about.parse(payload).serverId);
    return server && { ...words.mcp.forms.change, value: shownPlace(server.config), long: false, required: true };
  },
  problem: async ({ person, words }, _payload, value) => problemInPlace(value, allows(person.role, "owner"), words),
  async fill(scene, payload, value, card) {
    const server = await scene.deps.mcp.get(scene.unit.db, about.parse(payload).serverId);
    if (server !== undefined) await tryServer(scene, card, { name: server.name, rest: value });
    else await redraw(scene, card, await listCard(scene));
    return { outcome: handled };
  },
};

/** Where a sign-in ended in a browser that could not reach Codex. It holds a code that works once, and is given to nobody but Codex. */
export const returnedForm: FormAction = {
  form: async ({ words }) => ({ ...words.mcp.forms.returned, long: false, required: true }),
  problem: async ({ words }, _payload, value) => (URL.canParse(value) ? null : words.mcp.problems.bad_address),
  async fill(scene, payload, value, card) {
    const { serverId } = about.parse(payload);
    const server = await scene.deps.mcp.get(scene.unit.db, serverId);
    const text = server === undefined ? scene.words.mcp.signIn.brought : scene.words.mcp.testing(plain(server.name));
    const secrets = { values: { callback: value } };
    await begin(scene, card, await waitingCard(scene, text, serverId), { kind: "signed_in", serverId, secrets });
    return { outcome: handled };
  },
};
