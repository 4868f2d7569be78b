import { startChild } from "./child.ts";
import { question } from "./words.ts";
import { type Bench, type Codex, startWorld } from "./world.ts";

export interface RequestSize {
  /** Bytes of the model request for a first short message in a private chat, with a bare client and through the bot. */
  readonly bareBytes: number;
  readonly botBytes: number;
}

export async function measureRequest(bench: Bench, codex: Codex): Promise<RequestSize> {
  const { direct } = codex.endpoints;
  const asked = () => codex.child.call<number[]>("requests");
  await asked();
  {
    await using bare = await startChild("bare", { env: { CODEX_URL: direct.url, CODEX_TOKEN: direct.token ?? "" } });
    await bare.call("prepare", 1);
  }
  const [bareBytes] = await asked();
  await using world = await startWorld(bench, { endpoint: direct, people: 1, unpaced: false });
  const [person] = world.people;
  if (person === undefined) throw new Error("nobody is there");
  await world.chats.ask(person, question);
  const [botBytes] = await asked();
  if (bareBytes === undefined || botBytes === undefined) throw new Error("the model was not asked");
  return { bareBytes, botBytes };
}
