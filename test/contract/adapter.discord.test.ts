import { createDiscordAdapter } from "../../adapters/discord/index.ts";
import type { AdapterDeps } from "../../src/chat/index.ts";
import { visible } from "../discord/visible.ts";
import { createDiscord, type SeenMessage } from "../fakes/discord/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";
import { adapterContract, type Shown, type Stage } from "./adapter.contract.ts";

adapterContract("Discord", {
  create: openStage,
  // Discord reads whatever Markdown it is sent.
  lacks: ["rejectFormatting", "status", "home", "suggestions"],
});

const starter = 21;
const post = "POST /channels/:channel/messages";

async function openStage(deps: Partial<AdapterDeps>): Promise<Stage> {
  const discord = await createDiscord();
  const { ada, general, faults } = discord;
  const ben = discord.person("Ben");
  const direct = discord.dm(ada);
  const adapter = createDiscordAdapter(
    { token: discord.token, apiUrl: discord.url, timing: { retryMs: 5, retryMaxMs: 20 } },
    adapterDeps(deps),
  );
  await adapter.connect();
  let said = "";

  // Inside a thread the message it hangs on is shown once more.
  const seen = (channel: string) => discord.messages(channel).filter(({ fromUs, type }) => fromUs && type !== starter);
  const say = async (channel: string, text: string, more = {}) => {
    said = discord.say(ada, channel, text, more).id;
    return said;
  };
  const command = async (channel: string, name: string, argument: string) => {
    const registered = await discord.waitFor(() => discord.commands().find((one) => one.name === name));
    const [field] = registered.options;
    discord.command(ada, channel, name, field && argument !== "" ? { [field.name]: argument } : {});
  };
  const everything = () => [...seen(general), ...seen(direct), ...discord.ephemerals(ada)];
  const newestWith = (test: (message: SeenMessage) => boolean) => {
    const found = everything().filter(test).at(-1);
    if (!found) throw new Error("no such message");
    return found;
  };
  return {
    adapter,
    place: { channel: direct },
    ada,
    limit: 2000,
    shown: async () => seen(direct).map(toShown),
    say: async (text) => void (await say(direct, text)),
    command: (name, argument) => command(direct, name, argument),
    press: async (label) => {
      discord.press(
        ada,
        newestWith(({ buttons }) => buttons.some((button) => button.label === label)),
        label,
      );
    },
    choose: async (option) => {
      const offers = ({ selects }: SeenMessage) =>
        selects.some((list) => list.options.some(({ label }) => label === option));
      discord.select(ada, newestWith(offers), option);
    },
    answers: async () => discord.ephemerals(ada).map(({ text }) => visible(text)),
    change: async (text) => discord.edit(ada, said, text),
    takeBack: async () => discord.deleteMessage(said),
    sendFile: async (name, bytes, text) => void (await say(direct, text, { files: [{ name, bytes }] })),
    reactions: async () => discord.message(said)?.reactions ?? [],
    lastSaid: () => said,
    form: async () => {
      const modal = discord.modal(ada);
      const [field] = modal?.fields ?? [];
      return modal && field && { title: modal.title, label: field.label, value: field.value };
    },
    submit: async (value) => {
      const modal = discord.modal(ada);
      if (modal) discord.submit(ada, modal, value);
    },
    pings: async () => everything().flatMap(({ pings }) => pings),
    shared: {
      place: { channel: general },
      kind: "channel",
      ben,
      shown: async () => seen(general).map(toShown),
      say: (text) => say(general, text),
      mention: (text) => say(general, `${discord.mention()} ${text}`),
      sayToBen: (text) => say(general, `${discord.mention(ben)} ${text}`),
      reply: (text) => say(general, text, { replyTo: seen(general).at(-1)?.id }),
      command: (name, argument) => command(general, name, argument),
    },
    privately: async (userId) => discord.ephemerals(userId).map(toShown),
    threads: {
      shown: async (messageId) => (discord.thread(messageId) ? seen(messageId).map(toShown) : []),
      say: (messageId, text) => say(messageId, text),
      count: async () => discord.messages(general).filter(({ threadId }) => threadId !== undefined).length,
    },
    ownThreads: {
      place: { channel: general },
      name: async (id) => discord.thread(id)?.name,
      shown: async (id) => seen(id).map(toShown),
      beside: async () =>
        seen(general)
          .filter(({ threadId }) => threadId === undefined)
          .map(toShown),
      say: async (id, text) => void (await say(id, text)),
      count: async () => discord.messages(general).filter(({ threadId }) => threadId !== undefined).length,
    },
    faults: {
      rateLimit: () => faults.rateLimit(post, { retryAfter: 3 }),
      serverError: () => faults.serverError(post),
      loseResponse: () => faults.loseResponseAfterEffect(post),
      gone: () => faults.reject(post, 404, 10003, "Unknown Channel"),
      reject: () => faults.reject(post, 400, 50035, "Invalid Form Body", { times: 100 }),
    },
    [Symbol.asyncDispose]: discord.close,
  };
}

function toShown({ id, text, buttons, selects, author, files: [file] }: SeenMessage): Shown {
  return {
    id,
    text: visible(text),
    buttons: buttons.filter(({ url }) => url === undefined).map(({ label }) => label),
    links: buttons.flatMap(({ label, url }) => (url === undefined ? [] : [{ label, url }])),
    options: selects.flatMap(({ options }) => options.map(({ label }) => label)),
    author: author.name,
    file,
  };
}
