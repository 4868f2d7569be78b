import { z } from "zod";
import type { ButtonEvent } from "../../chat/index.ts";
import type { McpServer } from "../../mcp/index.ts";
import { type Action, type Card, type FormAction, type Pressed, redraw, type UseEvent } from "../action.ts";
import { handled } from "../outcome.ts";
import { type PersonScene, plain } from "../scene.ts";
import { begin } from "./begin.ts";
import { addForm, changeForm, returnedForm } from "./forms.ts";
import { keyForm, offerKeyPage } from "./key.ts";
import { listCard } from "./list-card.ts";
import { serverCard } from "./server-card.ts";
import { noteCard, removeCard, waitingCard } from "./step-cards.ts";

const about = z.object({ serverId: z.uuid() });
const enable = about.extend({ enabled: z.boolean() });
const assign = about.extend({ teammateId: z.uuid().nullable() });

/** A test that takes longer than this can be asked for again. */
const patienceMs = 60_000;

const showList: Action = async (scene, _payload, card) => {
  await redraw(scene, card, await listCard(scene));
  return { outcome: handled };
};

/** What is done with one server, drawn on its card afterwards. Where it is gone, the list is. */
function withServer(
  what: (scene: PersonScene<ButtonEvent>, server: McpServer, card: Card, payload: unknown) => Promise<Pressed>,
): Action {
  return async (scene, payload, card) => {
    const server = await scene.deps.mcp.get(scene.unit.db, about.parse(payload).serverId);
    if (server !== undefined) return what(scene, server, card, payload);
    await redraw(scene, card, await listCard(scene));
    return { outcome: handled, answer: scene.words.mcp.outcome.gone, stays: true };
  };
}

async function showServer(
  scene: PersonScene<UseEvent>,
  serverId: string,
  card: Card,
  answer?: string,
): Promise<Pressed> {
  const server = await scene.deps.mcp.get(scene.unit.db, serverId);
  await redraw(scene, card, server === undefined ? await listCard(scene) : await serverCard(scene, server));
  return { outcome: handled, answer };
}

const testServer = withServer(async (scene, server, card) => {
  const { unit, deps, words } = scene;
  const waiting = await deps.mcp.waitingFor(unit.db, server.id);
  const text = words.mcp.testing(plain(server.name));
  const shown = await waitingCard(scene, text, server.id);
  if (waiting !== undefined && deps.clock.now().getTime() - waiting.createdAt.getTime() < patienceMs) {
    await redraw(scene, card, shown);
    return { outcome: handled, answer: words.mcp.stillTesting };
  }
  await begin(scene, card, shown, { kind: "test", serverId: server.id });
  return { outcome: handled };
});

const signIn = withServer(async (scene, server, card) => {
  const text = scene.words.mcp.beginning(plain(server.name));
  await begin(scene, card, await waitingCard(scene, text, server.id), { kind: "sign_in", serverId: server.id });
  return { outcome: handled };
});

const setEnabled = withServer(async (scene, server, card, payload) => {
  const { unit, deps, person, words } = scene;
  await deps.mcp.setEnabled(unit, { personId: person.id }, server.id, enable.parse(payload).enabled);
  return showServer(scene, server.id, card, words.mcp.saved);
});

const assignTo = withServer(async (scene, server, card, payload) => {
  const { unit, deps, person, words } = scene;
  await deps.mcp.assign(unit, { personId: person.id }, server.id, assign.parse(payload).teammateId);
  return showServer(scene, server.id, card, words.mcp.saved);
});

const remove = withServer(async (scene, server, card) => {
  const { unit, deps, person, words } = scene;
  await deps.mcp.remove(unit, { personId: person.id }, server.id);
  await redraw(scene, card, await noteCard(scene, words.mcp.outcome.removed(plain(server.name))));
  return { outcome: handled };
});

/** What its buttons do, by the action of their tokens. */
export const mcpActions: Readonly<Record<string, Action>> = {
  mcp_list: showList,
  mcp_show: withServer((scene, { id }, card) => showServer(scene, id, card)),
  mcp_test: testServer,
  mcp_sign_in: signIn,
  mcp_enable: setEnabled,
  mcp_assign: assignTo,
  mcp_remove: withServer(async (scene, server, card) => {
    await redraw(scene, card, await removeCard(scene, server));
    return { outcome: handled };
  }),
  mcp_remove_sure: remove,
  mcp_key_page: withServer(offerKeyPage),
};

/** The buttons that ask for something written. */
export const mcpForms: Readonly<Record<string, FormAction>> = {
  mcp_add: addForm,
  mcp_change: changeForm,
  mcp_key: keyForm,
  mcp_returned: returnedForm,
};
