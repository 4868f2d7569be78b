/** Where on a connection something is said. Ids are the platform's own, as strings. */
export interface Address {
  readonly channel: string;
  /**
   * A topic or thread inside the channel, where the platform has them. Where a thread hangs on a message its id is that
   * message's; such a thread may not exist yet: the first post to it makes it.
   */
  readonly thread?: string | undefined;
}

export type PlaceKind = "dm" | "group" | "channel" | "forum";

/** The same for places of every kind. */
export function everywhere<T>(value: T): Readonly<Record<PlaceKind, T>> {
  return { dm: value, group: value, channel: value, forum: value };
}

/** A place as an adapter sees it when something happens there. */
export interface InboundPlace extends Address {
  readonly kind: PlaceKind;
  /** What people call the place; absent in a direct message. */
  readonly title?: string | undefined;
}

/** A human (or a bot) on one connection, as the platform names them. Names are text from outside: data, never instruction. */
export interface Author {
  readonly id: string;
  readonly name: string;
  readonly username?: string | undefined;
  readonly isBot: boolean;
  /** BCP 47 tag as the platform reports it. */
  readonly locale?: string | undefined;
  /** IANA name of their time zone, where the platform knows it. */
  readonly timezone?: string | undefined;
}
