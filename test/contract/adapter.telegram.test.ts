import { createTelegramAdapter } from "../../adapters/telegram/index.ts";
import { createTelegram, type PressedButton } from "../fakes/telegram/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";
import { adapterContract, type Stage } from "./adapter.contract.ts";

adapterContract("Telegram", { create: openStage, lacks: [] });

async function openStage(): Promise<Stage> {
  const telegram = await createTelegram();
  const { ada, faults } = telegram;
  const adapter = createTelegramAdapter(
    { token: telegram.token, apiRoot: telegram.url, timing: { retryMs: 5, retryMaxMs: 20 } },
    adapterDeps(),
  );
  await adapter.connect();
  telegram.openPrivateChat(ada);
  const presses: PressedButton[] = [];
  let said = "";

  const saidLast = () => {
    const message = telegram.chat(ada).messages.find(({ id }) => String(id) === said);
    if (!message) throw new Error("Ada said nothing yet");
    return message;
  };
  const say = async (text: string) => {
    said = String(telegram.say(ada, ada, text).id);
  };
  return {
    adapter,
    place: { channel: String(ada.id) },
    ada: String(ada.id),
    limit: 4096,
    shown: async () =>
      telegram.chat(ada).fromBot.map(({ id, text, keyboard, file }) => ({
        id: String(id),
        text,
        buttons: keyboard.flat().map((button) => button.text),
        file,
      })),
    say,
    command: (name, argument) => say(`/${name} ${argument}`),
    press: async (label) => {
      const card = telegram
        .chat(ada)
        .fromBot.filter(({ keyboard }) => keyboard.flat().some(({ text }) => text === label))
        .at(-1);
      if (!card) throw new Error(`no message with the button ${label}`);
      presses.push(telegram.press(ada, card, label));
    },
    answers: async () => presses.flatMap((press) => press.answer()?.text ?? []),
    change: async (text) => telegram.edit(ada, saidLast(), text),
    sendFile: async (name, bytes, caption) => {
      said = String(telegram.sendDocument(ada, ada, { name, bytes, caption }).id);
    },
    reactions: async () => saidLast().reactions,
    lastSaid: () => said,
    faults: {
      rateLimit: () => faults.rateLimit("sendMessage", { retryAfter: 3 }),
      serverError: () => faults.serverError("sendMessage"),
      loseResponse: () => faults.loseResponseAfterEffect("sendMessage"),
      gone: () => faults.reject("sendMessage", 400, "Bad Request: chat not found"),
      rejectFormatting: () => faults.reject("sendMessage", 400, "Bad Request: can't parse entities: no"),
      reject: () => faults.reject("sendMessage", 400, "Bad Request: message is too long", { times: 100 }),
    },
    [Symbol.asyncDispose]: telegram.close,
  };
}
