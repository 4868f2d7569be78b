import type { Button, Select } from "../../chat/index.ts";
import { type KeyName, keyNames, type McpServer } from "../../mcp/index.ts";
import { plain } from "../scene.ts";
import { keyWords, stateWords, whereWords, whoseWords } from "./server-words.ts";
import { issue, type McpPost, teammateNames, type View } from "./view.ts";

const mostOptions = 25;
const mostTools = 20;

/** One server, and what can be done with it. `note` says what has just come of something. */
export async function serverCard(view: View, server: McpServer, note?: string): Promise<McpPost> {
  const { words } = view;
  const names = await teammateNames(view);
  const whose = whoseWords(server, names, words) ?? words.mcp.forEveryone;
  const { tools, missing } = server;
  const lines = [
    `${words.mcp.heading(plain(server.name), stateWords(server, words))} · ${whose}`,
    whereWords(server, words),
    ...(tools.length === 0
      ? []
      : [words.mcp.tools(tools.slice(0, mostTools).map(plain), Math.max(0, tools.length - mostTools))]),
    ...(missing.length === 0 ? [] : [words.mcp.lacksKeys(missing.map((key) => keyWords(key, words)))]),
  ];
  const text = [...(note === undefined ? [] : [note]), lines.join("\n")].join("\n\n");
  return { text, ...(await controls(view, server)) };
}

/** The key to ask for first: one that is missing, the one there is, or over HTTP the usual one. */
function firstKey({ config, missing }: McpServer): KeyName | undefined {
  return missing[0] ?? keyNames(config)[0] ?? (config.transport === "http" ? null : undefined);
}

async function controls(view: View, server: McpServer): Promise<Pick<McpPost, "buttons" | "selects">> {
  const { buttons: labels } = view.words.mcp;
  const about = { serverId: server.id };
  const key = firstKey(server);
  const teammates = (await view.deps.teammates.list(view.unit.db)).slice(0, mostOptions - 1);
  const assigned = [null, ...teammates.map((each) => each.id)];
  const token = await issue(view, [
    ...["test", "key", "change", "remove", "sign_in"].map((each) => ({
      key: each,
      action: `mcp_${each}`,
      payload: about,
    })),
    { key: "key_page", action: "mcp_key_page", payload: { ...about, key: key ?? null } },
    { key: "enable", action: "mcp_enable", payload: { ...about, enabled: !server.enabled } },
    { key: "list", action: "mcp_list", payload: {} },
    ...assigned.map((teammateId) => ({
      key: `for:${teammateId}`,
      action: "mcp_assign",
      payload: { ...about, teammateId },
    })),
  ]);
  const keyButtons: Button[] = [
    ...(key === undefined ? [] : [{ label: labels.setKey, token: token("key_page"), style: wantsKey(server) }]),
    { label: key === undefined ? labels.setKey : labels.otherKey, token: token("key"), opensForm: true },
  ];
  const signIn: Button = { label: view.words.mcp.signIn.open, token: token("sign_in"), style: "primary" };
  return {
    buttons: [
      ...(server.state === "needs_sign_in" ? [[signIn]] : []),
      keyButtons,
      [
        { label: labels.test, token: token("test") },
        { label: labels.change, token: token("change"), opensForm: true },
      ],
      [
        { label: server.enabled ? labels.disable : labels.enable, token: token("enable") },
        { label: labels.remove, token: token("remove"), style: "danger" },
      ],
      [{ label: labels.back, token: token("list") }],
    ],
    selects: [whoseSelect(view, server, teammates, token)],
  };
}

function wantsKey({ state }: McpServer): Button["style"] {
  return state === "needs_secret" ? "primary" : undefined;
}

function whoseSelect(
  { words: { mcp } }: View,
  server: McpServer,
  teammates: readonly { readonly id: string; readonly name: string }[],
  token: (key: string) => string,
): Select {
  const everyone = { id: null, name: mcp.everyone };
  return {
    label: mcp.whose,
    options: [everyone, ...teammates].map(({ id, name }) => ({
      label: name,
      current: id === server.teammateId,
      token: token(`for:${id}`),
    })),
  };
}
