import { startChild } from "./child.ts";
import { moreIn, type RequestParts } from "./request-parts.ts";
import { question } from "./words.ts";
import { type Bench, type Codex, startWorld } from "./world.ts";

export interface RequestSize {
  /** Bytes of the model request for a first short message in a private chat, with a bare client and through the bot. */
  readonly bareBytes: number;
  readonly botBytes: number;
  /** What the bot adds. */
  readonly ours: RequestParts;
}

export async function measureRequest(bench: Bench, codex: Codex): Promise<RequestSize> {
  const { direct } = codex.endpoints;
  const asked = () => codex.child.call<RequestParts[]>("requests");
  await asked();
  {
    await using client = await startChild("bare", { env: { CODEX_URL: direct.url, CODEX_TOKEN: direct.token ?? "" } });
    await client.call("prepare", 1);
  }
  const [bare] = await asked();
  await using world = await startWorld(bench, { endpoint: direct, people: 1, unpaced: false });
  const [person] = world.people;
  if (person === undefined) throw new Error("nobody is there");
  await world.chats.ask(person, question);
  const [bot] = await asked();
  if (bare === undefined || bot === undefined) throw new Error("the model was not asked");
  return { bareBytes: bare.all, botBytes: bot.all, ours: moreIn(bot, bare) };
}
