import { clip } from "../../chat/index.ts";
import { plain } from "../scene.ts";
import { stateWords, whoseWords } from "./server-words.ts";
import { issue, type McpPost, teammateNames, type View } from "./view.ts";

const mostOptions = 25;

/** Every server, to be chosen from. */
export async function listCard(view: View): Promise<McpPost> {
  const { unit, deps, words } = view;
  const servers = await deps.mcp.list(unit.db);
  const names = await teammateNames(view);
  const lines = servers.map((each) =>
    words.mcp.line(plain(each.name), stateWords(each, words), whoseWords(each, names, words)),
  );
  const shown = servers.slice(0, mostOptions);
  const token = await issue(view, [
    { key: "add", action: "mcp_add", payload: {} },
    ...shown.map(({ id }) => ({ key: id, action: "mcp_show", payload: { serverId: id } })),
  ]);
  const options = shown.map((each) => ({
    label: each.name,
    description: clip(stateWords(each, words), 100),
    token: token(each.id),
  }));
  const rest = servers.length > mostOptions ? [words.mcp.moreByName] : [];
  return {
    text: [words.mcp.title, lines.length === 0 ? words.mcp.none : lines.join("\n"), ...rest, words.mcp.howToAdd].join(
      "\n\n",
    ),
    buttons: [[{ label: words.mcp.buttons.add, token: token("add"), opensForm: true }]],
    selects: options.length === 0 ? undefined : [{ label: words.mcp.chooseLabel, options }],
  };
}
