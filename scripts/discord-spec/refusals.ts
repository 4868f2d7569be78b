import { type REST, Routes } from "discord.js";
import type { Discord } from "../../test/fakes/discord/index.ts";

const labelled = (custom_id: string, label = "Go") => ({ type: 2, style: 1, label, custom_id });
const options = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `${at}`, value: `${at}` }));

/** Messages that the description refuses: the stand-in must refuse them too. */
const refusedMessages: readonly object[] = [
  { content: "x", components: [{ type: 1, components: [labelled("c".repeat(101))] }] },
  { content: "x", components: [{ type: 1, components: [labelled("c", "l".repeat(81))] }] },
  { content: "x", components: [{ type: 1, components: Array.from({ length: 6 }, (_, at) => labelled(`${at}`)) }] },
  { content: "x", components: [{ type: 1, components: [{ type: 3, custom_id: "s", options: options(26) }] }] },
  { content: "x", components: [{ type: 1, components: [] }] },
  { content: "a".repeat(4001) },
  { content: 7 },
  { content: "x", nonce: "n".repeat(26) },
  { embeds: [{ description: "a".repeat(4097) }] },
  { embeds: Array.from({ length: 11 }, () => ({ description: "a" })) },
];

/** What the stand-in takes although the description refuses it, and what is not refused there at all. */
export async function tooLenient(discord: Discord, rest: REST, refuses: (body: unknown) => boolean): Promise<string[]> {
  const lenient: string[] = [];
  for (const body of refusedMessages) {
    const given = JSON.stringify(body).slice(0, 80);
    if (!refuses(body)) lenient.push(`the description takes ${given}`);
    const taken = await rest.post(Routes.channelMessages(discord.general), { body }).then(
      () => true,
      () => false,
    );
    if (taken) lenient.push(`the stand-in takes ${given}`);
  }
  return lenient;
}
