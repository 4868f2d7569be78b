import type { WebClient } from "@slack/web-api";
import {
  type AdapterDeps,
  type Address,
  type CommandEvent,
  type Form,
  type InboundEvent,
  plainDocument,
  toMarkdown,
  within,
} from "../../src/chat/index.ts";
import type { Directory, Self } from "./directory.ts";
import { describe } from "./errors.ts";
import { filesOf } from "./files.ts";
import { askView, formView, readAskMetadata, readFormMetadata } from "./forms.ts";
import type { Intake } from "./intake.ts";
import { actionShape, commandShape, type Pressed, shortcutShape, submissionShape } from "./interactions.shapes.ts";
import { actionIds } from "./message.ts";
import { type Origin, toInteraction } from "./origin.ts";
import type { Privately } from "./privately.ts";
import { isOwn, textOf } from "./read.ts";
import type { Sender } from "./send.ts";
import { decodeText, mentionsIn } from "./text.ts";
import { words } from "./words.ts";

export interface InteractionsDeps {
  readonly self: Self;
  readonly client: WebClient;
  readonly directory: Directory;
  readonly intake: Intake;
  readonly sender: Pick<Sender, "post">;
  readonly privately: Privately;
  readonly form: AdapterDeps["form"];
  readonly mayAsk: AdapterDeps["mayAsk"];
  readonly warn: (message: string, detail: string) => void;
  readonly now: () => number;
  /** How long the core may take to fill in a form. */
  readonly formMs: number;
}

/** What people do with commands, shortcuts, buttons, lists and forms. Each resolves once it is stored. */
export function createInteractions(deps: InteractionsDeps) {
  const { self, client, directory, intake, privately, warn, now } = deps;
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

    pressed: async (body: unknown): Promise<void> => {
      const press = actionShape.parse(body);
      if (press.token === undefined) return;
      const opened = press.action_id.startsWith(`${actionIds.form}:`) && (await openForm(press, press.token));
      if (opened) return;
      const { user, trigger_id: id, token } = press;
      const { address, messageId, origin } = await whereFrom(press);
      await store({
        kind: "button",
        key: `${self.teamId}:press:${id}`,
        place: await directory.place(address.channel, address.thread),
        author: await directory.author(user.id),
        messageId,
        token,
        interaction: toInteraction(id, origin),
        ...(press.isPrivate ? { private: true } : {}),
      });
    },

    filledIn: async (body: unknown): Promise<void> => {
      const { view, user, value } = submissionShape.parse(body);
      const about = readFormMetadata(view.private_metadata);
      if (!about) return;
      const { token, messageId, origin } = about;
      await store({
        kind: "form",
        key: `${self.teamId}:form:${view.id}`,
        place: await directory.place(origin.channel, origin.thread),
        author: await directory.author(user.id),
        messageId,
        token,
        value,
        interaction: toInteraction(view.id, origin),
        ...(origin.privateMessage === undefined ? {} : { private: true }),
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
    const isShown = place.kind === "dm" || (await within(deps.formMs, deps.mayAsk(place, author.id)));
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

  /** True when a form stands before the presser. */
  async function openForm(press: Pressed, token: string): Promise<boolean> {
    const filling = deps.form(token, press.user.id);
    filling.catch((error: unknown) => warn("a form could not be filled in", describe(error)));
    const filled = await within(deps.formMs, filling);
    if (!filled) return false;
    const { messageId, origin } = await whereFrom(press);
    try {
      await openView(press.trigger_id, () => formView(filled satisfies Form, { token, messageId, origin }));
      return true;
    } catch (error) {
      warn("a form could not be opened", describe(error));
      return false;
    }
  }

  async function openView(
    trigger: string,
    view: () => Parameters<WebClient["views"]["open"]>[0]["view"],
  ): Promise<void> {
    await client.views.open({ trigger_id: trigger, view: view() });
  }

  async function whereFrom(press: Pressed): Promise<{ address: Address; messageId: string; origin: Origin }> {
    // A person's own page is no conversation; what answers it goes to their direct message.
    const channel = press.channelId ?? (await privately.directMessage(press.user.id)) ?? press.user.id;
    const address = { channel, ...(press.thread === undefined ? {} : { thread: press.thread }) };
    const messageId = press.messageId ?? "home";
    const origin: Origin = {
      ...address,
      user: press.user.id,
      at: now(),
      ...(press.response_url === undefined ? {} : { url: press.response_url }),
      ...(press.isPrivate ? { privateMessage: messageId } : {}),
    };
    if (press.isPrivate) privately.learn(origin);
    return { address, messageId, origin };
  }
}

export type Interactions = ReturnType<typeof createInteractions>;

/** A name alone asks nothing: that is for its giver to mend, and for nobody else to see. */
function hasQuestion(argument: string): boolean {
  return /\S\s+\S/u.test(argument);
}
