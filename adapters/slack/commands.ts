import {
  type AdapterDeps,
  type CommandEvent,
  type InboundEvent,
  plainDocument,
  toMarkdown,
  within,
} from "../../src/chat/index.ts";
import type { Directory, Self } from "./directory.ts";
import { describe } from "./errors.ts";
import { filesOf } from "./files.ts";
import { askView, type OpenView, readAskMetadata } from "./forms.ts";
import type { Intake } from "./intake.ts";
import { commandShape, shortcutShape, submissionShape } from "./interactions.shapes.ts";
import { type Origin, toInteraction } from "./origin.ts";
import type { Privately } from "./privately.ts";
import { isOwn, textOf } from "./read.ts";
import type { Sender } from "./send.ts";
import { decodeText, mentionsIn } from "./text.ts";
import { words } from "./words.ts";

export interface CommandsDeps {
  readonly self: Self;
  readonly openView: OpenView;
  readonly directory: Directory;
  readonly intake: Intake;
  readonly sender: Pick<Sender, "post">;
  readonly privately: Privately;
  readonly mayAsk: AdapterDeps["mayAsk"];
  readonly warn: (message: string, detail: string) => void;
  readonly now: () => number;
  /** How long the core may take to say who may ask. */
  readonly mayAskMs: number;
}

/** What people ask for by the command and by the shortcuts on messages. Each resolves once it is stored. */
export function createCommands(deps: CommandsDeps) {
  const { self, openView, directory, intake, privately, warn, now } = deps;
  const store = (event: InboundEvent) => intake.lanes.run(event.place.channel, () => intake.store(event));

  return {
    command: async (body: unknown): Promise<void> => {
      const { text, channel_id: channel, user_id: user, response_url: url, trigger_id: id } = commandShape.parse(body);
      const said = decodeText(text, await directory.names(mentionsIn(text), self));
      const [, name = "help", argument = ""] = /^\/?(\S+)\s*([\s\S]*)$/u.exec(said) ?? [];
      const origin: Origin = { channel, user, url, at: now() };
      if (await isOfOthers(origin)) return privately.tell(origin, words.notOurs);
      const event: CommandEvent = {
        kind: "command",
        key: `${self.teamId}:command:${id}`,
        place: await directory.place(channel),
        author: await directory.author(user),
        name: name.toLowerCase(),
        argument: argument.trim(),
        sentAt: new Date(origin.at),
        interaction: toInteraction(id, origin),
      };
      if (event.name !== "ask" || !hasQuestion(event.argument)) return store({ ...event, wholePlace: true });
      await storeAsked(event, origin);
    },

    /** "Ask a teammate" on a message: what should happen with it is asked for in a form. */
    askAbout: async (body: unknown): Promise<void> => {
      const { message, channel, user, trigger_id: trigger, response_url: url } = shortcutShape.parse(body);
      const text = await textOf(message, { self, directory });
      const authorName = message.user === undefined ? message.username : await directory.nameOf(message.user);
      const fromUs = isOwn(message, self);
      await openView(trigger, () =>
        askView({
          channel: channel.id,
          thread: message.thread_ts ?? message.ts,
          url,
          at: now(),
          quote: { messageId: message.ts, text, authorName, fromUs },
          files: filesOf(message.files),
        }),
      ).catch((error: unknown) => warn(`the form for ${user.id} could not be opened`, describe(error)));
    },

    asked: async (body: unknown): Promise<void> => {
      const { view, user, value } = submissionShape.parse(body);
      const about = readAskMetadata(view.private_metadata);
      if (!about || value.trim() === "") return;
      const origin: Origin = {
        channel: about.channel,
        thread: about.thread,
        user: user.id,
        url: about.url,
        at: about.at,
      };
      if (await isOfOthers(origin)) return privately.tell(origin, words.notOurs);
      const event: CommandEvent = {
        kind: "command",
        key: `${self.teamId}:ask:${view.id}`,
        place: await directory.place(about.channel, about.thread),
        author: await directory.author(user.id),
        name: "ask",
        argument: value.trim(),
        sentAt: new Date(now()),
        interaction: toInteraction(view.id, origin),
        quote: about.quote,
        files: about.files,
      };
      await storeAsked(event, origin);
    },

    stop: async (body: unknown): Promise<void> => {
      const { message, channel, user, trigger_id: id, response_url: url } = shortcutShape.parse(body);
      const thread = message.thread_ts ?? message.ts;
      const origin: Origin = { channel: channel.id, thread, user: user.id, url, at: now() };
      if (await isOfOthers(origin)) return privately.tell(origin, words.notOurs);
      await store({
        kind: "command",
        key: `${self.teamId}:stop:${id}`,
        place: await directory.place(channel.id, thread),
        author: await directory.author(user.id),
        name: "stop",
        argument: "",
        sentAt: new Date(origin.at),
        interaction: toInteraction(id, origin),
      });
    },
  };

  /** Commands and shortcuts are offered everywhere, also where two people talk: that is nobody's direct message with us. */
  async function isOfOthers({ channel, user }: Origin): Promise<boolean> {
    if (!channel.startsWith("D")) return false;
    const ours = await privately.directMessage(user);
    return ours !== undefined && ours !== channel;
  }

  /** The question stands where everybody sees it, and its thread is where the answer goes. */
  async function storeAsked(event: CommandEvent, origin: Origin): Promise<void> {
    const { place, author, argument } = event;
    const isShown = place.kind === "dm" || (await within(deps.mayAskMs, deps.mayAsk(place, author.id)));
    if (!isShown) return store(event);
    // Letter by letter: it stands there under our name, also when its giver may not ask anything.
    const question = toMarkdown(plainDocument(argument));
    const text = `**${words.asks(author.name.replace(/[*_`~[\]<>\\]/gu, ""))}** ${question}`;
    const shown = await deps.sender.post(place, { text, notify: false }, event.key.slice(-25));
    if (shown.outcome === "delivered") {
      const thread = place.thread ?? shown.messageId;
      return store({ ...event, messageId: shown.messageId, place: { ...place, thread } });
    }
    if (shown.outcome === "failed" && (shown.error.kind === "gone" || shown.error.kind === "refused")) {
      await privately.tell(origin, words.notInChannel);
      return;
    }
    await store(event);
  }
}

/** A name alone asks nothing: that is for its giver to mend, and for nobody else to see. */
function hasQuestion(argument: string): boolean {
  return /\S\s+\S/u.test(argument);
}
