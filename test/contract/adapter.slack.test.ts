import { createSlackAdapter } from "../../adapters/slack/index.ts";
import type { AdapterDeps } from "../../src/chat/index.ts";
import { type Acted, createSlack, type SeenMessage } from "../fakes/slack/index.ts";
import { visibleText } from "../slack/visible.ts";
import { adapterDeps } from "../support/adapter-deps.ts";
import { adapterContract, type Shown, type Stage } from "./adapter.contract.ts";

// Slack has no replies beside its threads.
adapterContract("Slack", { create: openStage, lacks: ["replies"] });

async function openStage(deps: Partial<AdapterDeps>): Promise<Stage> {
  const slack = await createSlack();
  const { ada, general, faults } = slack;
  const ben = slack.person("Ben");
  slack.join(ben, general);
  const dm = slack.dm(ada);
  const adapter = createSlackAdapter(
    {
      botToken: slack.botToken,
      appToken: slack.appToken,
      apiUrl: slack.url,
      timing: { retryMs: 5, retryMaxMs: 20, lookMs: 10, stopMs: 1_000 },
    },
    adapterDeps(deps),
  );
  await adapter.connect();
  let said = "";
  let submitted: Acted | undefined;

  const saidLast = () => ({ channel: dm, ts: said });
  const say = async (text: string) => {
    said = slack.say(ada, dm, text).ts;
  };
  const sayThere = async (text: string, thread?: string) => slack.say(ada, general, text, { thread }).ts;
  const cards = () => [...slack.fromBot(general), ...slack.fromBot(dm), ...slack.ephemerals(ada)];
  return {
    adapter,
    place: { channel: dm },
    ada,
    limit: 12_000,
    shown: async () => slack.fromBot(dm).map(toShown),
    say,
    command: async (name, argument) => void slack.command(ada, dm, "/shipmate", `${name} ${argument}`),
    press: async (label) => {
      const card = cards().findLast(({ buttons }) => buttons.some((button) => button.label === label));
      if (!card) throw new Error(`no message with the button ${label}`);
      slack.press(ada, card, label);
    },
    choose: async (option) => {
      const card = cards().findLast(({ selects }) =>
        selects.some(({ options }) => options.some(({ label }) => label === option)),
      );
      if (!card) throw new Error(`no message that offers ${option}`);
      slack.select(ada, card, option);
    },
    answers: async () => slack.ephemerals(ada).map(({ text }) => text),
    change: async (text) => slack.edit(ada, saidLast(), text),
    takeBack: async () => slack.deleteMessage(ada, saidLast()),
    sendFile: async (name, bytes, text) => {
      said = slack.say(ada, dm, text, { files: [{ name, bytes }] }).ts;
    },
    reactions: async () => slack.message(saidLast())?.reactions.map(({ name }) => name) ?? [],
    lastSaid: () => said,
    form: async () => {
      // A form that was sent off goes away once it is acknowledged.
      await slack.waitFor(() => submitted?.state() !== "waiting");
      const view = slack.view(ada);
      const [input] = view?.inputs ?? [];
      return view && input && { title: view.title, label: input.label, value: input.initial ?? "" };
    },
    submit: async (value) => {
      submitted = slack.submit(ada, value);
    },
    statusLine: async () => slack.status(dm, said)?.text,
    pings: async () => [...slack.fromBot(dm), ...slack.fromBot(general)].flatMap(({ pings }) => pings),
    shared: {
      place: { channel: general },
      kind: "channel",
      ben,
      shown: async () =>
        slack
          .messages(general, { thread: null })
          .filter(({ author }) => author.bot)
          .map(toShown),
      say: sayThere,
      mention: (text) => sayThere(`<@${slack.botUserId}> ${text}`),
      sayToBen: (text) => sayThere(`<@${ben}> ${text}`),
      command: async (name, argument) => void slack.command(ada, general, "/shipmate", `${name} ${argument}`),
    },
    privately: async (userId) => slack.ephemerals(userId).map(toShown),
    threads: {
      shown: async (id) =>
        slack
          .messages(general, { thread: id })
          .filter(({ author, ts }) => author.bot && ts !== id)
          .map(toShown),
      say: (id, text) => sayThere(text, id),
      count: async () => new Set(slack.messages(general).flatMap(({ threadTs }) => threadTs ?? [])).size,
    },
    ownThreads: {
      place: { channel: general },
      name: async (id) => {
        const root = slack.message({ channel: general, ts: id });
        return root && visibleText(root).replace(/^🗓 /u, "").trim();
      },
      shown: async (id) =>
        slack
          .messages(general, { thread: id })
          .filter(({ ts, author }) => author.bot && ts !== id)
          .map(toShown),
      beside: async () =>
        slack
          .messages(general, { thread: null })
          .filter(({ author, text }) => author.bot && !text.startsWith("🗓"))
          .map(toShown),
      say: async (id, text) => void (await sayThere(text, id)),
      count: async () => slack.messages(general, { thread: null }).filter(({ text }) => text.startsWith("🗓")).length,
    },
    openHome: async () => slack.openHome(ada),
    homePage: async () => {
      const home = slack.home(ada);
      return [home?.text ?? "", ...(home?.buttons ?? []).map(({ label }) => label)].join("\n");
    },
    openConversation: async () => slack.openMessagesTab(ada),
    suggestions: async () => slack.suggested(dm).map(({ title }) => title),
    faults: {
      rateLimit: () => faults.rateLimit("chat.postMessage", { retryAfter: 3 }),
      serverError: () => faults.serverError("chat.postMessage"),
      loseResponse: () => faults.loseResponseAfterEffect("chat.postMessage"),
      gone: () => faults.reject("chat.postMessage", "channel_not_found"),
      rejectFormatting: () => faults.reject("chat.postMessage", "invalid_blocks"),
      reject: () => faults.reject("chat.postMessage", "msg_too_long", { times: 100 }),
    },
    [Symbol.asyncDispose]: slack.close,
  };
}

function toShown(message: SeenMessage): Shown {
  const [file] = message.files;
  return {
    id: message.ts,
    text: visibleText(message),
    buttons: message.buttons.filter(({ url }) => url === undefined).map(({ label }) => label),
    links: message.buttons.flatMap(({ label, url }) => (url === undefined ? [] : [{ label, url }])),
    options: message.selects.flatMap(({ options }) => options.map(({ label }) => label)),
    author: message.author.name,
    ...(file ? { file: { name: file.name, bytes: file.bytes } } : {}),
  };
}
