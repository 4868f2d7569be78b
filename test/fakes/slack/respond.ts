import { readBlocksField } from "./blocks.ts";
import { readContent, wholeContent } from "./chat.ts";
import { announce, announceChange, announceDeletion } from "./events.ts";
import { ApiFailure } from "./failure.ts";
import { type Fields, flagField, textField } from "./fields.ts";
import { shownText } from "./flatten.ts";
import { type MessageRecord, putMessage, type World } from "./world.ts";

interface ResponseUrl {
  readonly channel: string;
  readonly userId: string;
  /** The message an interaction came from. */
  readonly message: MessageRecord | undefined;
  readonly at: number;
  uses: number;
}

const mostUses = 5;

/** The addresses that come with interactions and commands: five uses within half an hour. */
export function createResponseUrls(world: World) {
  const known = new Map<string, ResponseUrl>();
  return {
    issue: (channel: string, userId: string, message?: MessageRecord): string => {
      const id = world.nextId("");
      known.set(id, { channel, userId, message, at: world.now(), uses: 0 });
      return `${world.origin}/actions/${world.team.id}/${id}`;
    },
    /** Throws what Slack answers with status 404. */
    use: (id: string, fields: Fields): void => {
      const address = known.get(id);
      if (!address) throw new ApiFailure("invalid_url", { status: 404 });
      if (world.now() - address.at > world.timing.responseUrlMs) throw new ApiFailure("expired_url", { status: 404 });
      if (address.uses >= mostUses) throw new ApiFailure("used_url", { status: 404 });
      address.uses += 1;
      respond(world, address, fields);
    },
  };
}

function respond(world: World, { channel: id, userId, message }: ResponseUrl, fields: Fields): void {
  const channel = world.channel(id);
  if (flagField(fields, "delete_original") && message) {
    if (message.to === undefined) announceDeletion(world, channel, message);
    else world.ephemerals.splice(world.ephemerals.indexOf(message), 1);
    world.changed();
    return;
  }
  readBlocksField(fields);
  const content = wholeContent(world, readContent(world, fields));
  if (flagField(fields, "replace_original") && message) {
    const change = () => {
      message.earlier.push(shownText(world, message));
      Object.assign(message, content, { edited: { user: world.bot.id, ts: world.nextTs() } });
    };
    if (message.to === undefined) announceChange(world, message, change);
    else change();
    world.changed();
    return;
  }
  const open = textField(fields, "response_type") === "in_channel";
  const record = putMessage(world, channel, {
    ...content,
    user: world.bot.id,
    botId: world.bot.botId,
    threadTs: textField(fields, "thread_ts"),
    to: open ? undefined : userId,
  });
  if (open) announce(world, channel, record);
  else world.changed();
}
