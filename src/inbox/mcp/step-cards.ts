import type { McpServer } from "../../mcp/index.ts";
import { plain } from "../scene.ts";
import { issue, type McpPost, type View } from "./view.ts";

/** For something that is being done with a server there is: it can be asked for again, or left alone. */
export async function waitingCard(view: View, text: string, serverId: string): Promise<McpPost> {
  const { buttons } = view.words.mcp;
  const token = await issue(view, [
    { key: "test", action: "mcp_test", payload: { serverId } },
    { key: "list", action: "mcp_list", payload: {} },
  ]);
  return {
    text,
    buttons: [
      [
        { label: buttons.again, token: token("test") },
        { label: buttons.back, token: token("list") },
      ],
    ],
  };
}

/** Where the person signs in now. */
export async function signInCard(view: View, server: McpServer, url: string): Promise<McpPost> {
  const { signIn, buttons } = view.words.mcp;
  const about = { serverId: server.id };
  const token = await issue(view, [
    { key: "test", action: "mcp_test", payload: about },
    { key: "returned", action: "mcp_returned", payload: about },
    { key: "show", action: "mcp_show", payload: about },
  ]);
  return {
    text: signIn.needed(plain(server.name)),
    links: [{ label: signIn.open, url }],
    buttons: [
      [
        { label: signIn.continue, token: token("test"), style: "primary" },
        { label: signIn.paste, token: token("returned"), opensForm: true },
      ],
      [{ label: buttons.back, token: token("show") }],
    ],
  };
}

export async function removeCard(view: View, server: McpServer): Promise<McpPost> {
  const { mcp } = view.words;
  const about = { serverId: server.id };
  const token = await issue(view, [
    { key: "sure", action: "mcp_remove_sure", payload: about },
    { key: "show", action: "mcp_show", payload: about },
  ]);
  return {
    text: mcp.removeSure(plain(server.name)),
    buttons: [
      [
        { label: mcp.buttons.removeSure, token: token("sure"), style: "danger" },
        { label: mcp.buttons.keep, token: token("show") },
      ],
    ],
  };
}

/** A line, and the way back. */
export async function noteCard(view: View, text: string): Promise<McpPost> {
  const token = await issue(view, [{ key: "list", action: "mcp_list", payload: {} }]);
  return { text, buttons: [[{ label: view.words.mcp.buttons.back, token: token("list") }]] };
}
