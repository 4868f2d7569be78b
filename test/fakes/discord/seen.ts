import type { APIApplicationCommandOptionChoice, APIEmbed, APIMessageTopLevelComponent } from "discord-api-types/v10";

export interface SeenAuthor {
  readonly id: string;
  /** What people read above the message. */
  readonly name: string;
  readonly avatarUrl: string | undefined;
  readonly bot: boolean;
  readonly webhook: boolean;
}

export interface SeenButton {
  readonly label: string;
  /** What a press sends back; undefined for a link. */
  readonly customId: string | undefined;
  readonly url: string | undefined;
  /** 1 primary, 2 secondary, 3 success, 4 danger, 5 link. */
  readonly style: number;
  readonly disabled: boolean;
}

export interface SeenSelect {
  readonly customId: string;
  readonly placeholder: string | undefined;
  readonly options: readonly SeenOption[];
}

export interface SeenOption {
  readonly label: string;
  readonly value: string;
  readonly description: string | undefined;
  readonly selected: boolean;
}

export interface SeenFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly url: string;
  readonly mime: string | undefined;
}

/** A message as the people in the channel see it at this moment. */
export interface SeenMessage {
  readonly id: string;
  readonly channelId: string;
  /** 0 said, 19 reply, 20 slash command, 21 thread starter, 23 context menu. */
  readonly type: number;
  readonly author: SeenAuthor;
  /** True for our bot, our interaction answers and our webhooks. */
  readonly fromUs: boolean;
  /** The content, or the text displays of its components, one under another. */
  readonly text: string;
  readonly buttons: readonly SeenButton[];
  readonly selects: readonly SeenSelect[];
  readonly files: readonly SeenFile[];
  readonly embeds: readonly APIEmbed[];
  /** As they were sent, with ids. */
  readonly components: readonly APIMessageTopLevelComponent[];
  readonly replyTo: string | undefined;
  readonly flags: number;
  /** True where nobody's phone makes a sound. */
  readonly silent: boolean;
  /** Whom it notified: user ids, role ids, `everyone`; without those who only see it. */
  readonly pings: readonly string[];
  /** The thread that hangs on it. */
  readonly threadId: string | undefined;
  /** The bot's reactions on it. */
  readonly reactions: readonly string[];
  /** Earlier texts, the first one first. */
  readonly edits: readonly string[];
  readonly edited: boolean;
  /** The one person who sees it. */
  readonly onlyFor: string | undefined;
  /** Shown as "… is thinking" until the deferred answer is filled. */
  readonly thinking: boolean;
}

export interface SeenThread {
  readonly id: string;
  readonly parentId: string;
  readonly name: string;
  readonly ownerId: string;
  readonly archived: boolean;
  readonly locked: boolean;
  readonly autoArchiveMinutes: number;
  /** True where the bot joined it. */
  readonly botIsMember: boolean;
}

export interface SeenField {
  readonly customId: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder: string | undefined;
  readonly long: boolean;
  readonly required: boolean;
  readonly minLength: number;
  readonly maxLength: number;
}

/** A dialog that is open before a person. */
export interface SeenModal {
  readonly customId: string;
  readonly title: string;
  readonly fields: readonly SeenField[];
}

/** Something a person did that wants an answer; it tells how things stand whenever it is read. */
export interface SeenInteraction {
  readonly id: string;
  readonly userId: string;
  readonly kind: "command" | "contextMenu" | "press" | "select" | "modal" | "autocomplete";
  /** The command's name or the component's custom id. */
  readonly name: string;
  /** From when it was sent to when it was answered, in milliseconds. */
  readonly ackedAfterMs: number | undefined;
  readonly answer: "message" | "deferred" | "deferredUpdate" | "update" | "modal" | "autocomplete" | undefined;
  /** True where the answer is for this person alone. */
  readonly ephemeral: boolean;
  /** The message that answers it, once there is one. */
  readonly message: SeenMessage | undefined;
  /** True once 3 s passed without an answer: "This interaction failed". */
  readonly failed: boolean;
}

export type Choice = APIApplicationCommandOptionChoice;

/** A command the bot registered, as people find it. */
export interface SeenCommand {
  readonly id: string;
  /** 1 slash, 2 on a user, 3 on a message. */
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly guildId: string | undefined;
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly type: number;
    readonly required: boolean;
    readonly autocomplete: boolean;
  }[];
}
