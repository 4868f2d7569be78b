import type {
  BlockAction,
  BlockElementAction,
  GlobalShortcut,
  MessageShortcut,
  SlashCommand,
  ViewClosedAction,
  ViewSubmitAction,
} from "@slack/bolt";
import type { Acted, MessageRef, SeenView } from "./api.ts";
import { elementsOf, type Loose, labelOf, optionsOf } from "./flatten.ts";
import { messageBody } from "./payload.ts";
import type { createPeople } from "./people.ts";
import type { createResponseUrls } from "./respond.ts";
import type { createSocketMode, Delivery } from "./sockets.ts";
import { answerSubmission } from "./submission.ts";
import { viewBody } from "./views.ts";
import {
  type ChannelRecord,
  issueTrigger,
  type MessageRecord,
  putMessage,
  type ViewRecord,
  type World,
} from "./world.ts";

interface Parts {
  readonly world: World;
  readonly people: ReturnType<typeof createPeople>;
  readonly sockets: ReturnType<typeof createSocketMode>;
  readonly responses: ReturnType<typeof createResponseUrls>;
}

/** What people press, choose, send off and call: one try each, to be acknowledged within three seconds. */
export function createActing({ world, people, sockets, responses }: Parts) {
  const teamOf = { id: world.team.id, domain: world.team.domain };
  const personOf = (id: string) => {
    const { name } = world.user(id);
    return { id, username: name, name, team_id: world.team.id };
  };
  const acted = (triggerId: string, responseUrl: string, delivery: Delivery): Acted => ({
    triggerId,
    responseUrl,
    state: () => delivery.state,
    ack: () => delivery.ack,
  });
  const channelName = (channel: ChannelRecord) =>
    channel.kind === "im" ? "directmessage" : channel.kind === "channel" ? channel.name : "privategroup";
  const common = { token: "stand-in", api_app_id: world.appId, team: teamOf, is_enterprise_install: false };

  /** A press or a choice in a message, a modal or a home page. */
  function act(userId: string, target: MessageRef | SeenView, action: BlockElementAction): Acted {
    const trigger_id = issueTrigger(world, userId);
    const from = "surface" in target ? fromView(target) : fromMessage(userId, target);
    const payload = {
      ...common,
      type: "block_actions",
      user: personOf(userId),
      trigger_id,
      ...from,
      actions: [action],
    };
    // Views have no response_url, and an enterprise is null where there is none; Bolt's type knows neither.
    const delivery = sockets.interact("interactive", "block_actions", {
      ...(payload as Partial<BlockAction>),
      enterprise: null,
    });
    return acted(trigger_id, "response_url" in from ? from.response_url : "", delivery);
  }

  function fromMessage(userId: string, ref: MessageRef) {
    const record = shownTo(userId, ref);
    const channel = world.channel(record.channel);
    const container = {
      type: "message",
      message_ts: record.ts,
      channel_id: channel.id,
      is_ephemeral: record.to !== undefined,
      ...(record.threadTs === undefined ? {} : { thread_ts: record.threadTs }),
    };
    return {
      container,
      channel: { id: channel.id, name: channelName(channel) },
      // Ephemeral messages do not come along.
      ...(record.to === undefined ? { message: messageBody(world, record) } : {}),
      response_url: responses.issue(channel.id, userId, record),
      state: { values: {} },
    };
  }

  function fromView(seen: SeenView) {
    const record = viewOf(seen);
    return { container: { type: "view", view_id: record.id }, view: viewBody(world, record) };
  }

  function viewOf(seen: SeenView): ViewRecord {
    const record = seen.surface === "home" ? world.homes.get(seen.userId) : world.modals.get(seen.userId)?.at(-1);
    if (record?.id !== seen.id) throw new Error("this view is not shown any more");
    return record;
  }

  function shownTo(userId: string, ref: MessageRef): MessageRecord {
    const private_ = world.ephemerals.find((one) => one.ts === ref.ts && one.to === userId);
    if (!private_) people.channelOf(userId, ref.channel);
    return private_ ?? people.messageOf(ref);
  }

  function find(userId: string, target: MessageRef | SeenView, wanted: (element: Loose) => boolean, what: string) {
    const blocks = "surface" in target ? viewOf(target).view.blocks : shownTo(userId, target).blocks;
    const found = elementsOf(blocks).find(({ element }) => wanted(element));
    if (found) return found;
    const there = elementsOf(blocks).flatMap(({ element }) => [
      labelOf(element.text),
      ...optionsOf(element).map((option) => labelOf(option.text)),
    ]);
    throw new Error(`there is no ${what}, only: ${there.filter((label) => label !== "").join(", ")}`);
  }

  function baseOf({ block, element }: { block: Loose; element: Loose }) {
    const action_id = String(element.action_id ?? world.nextId("a").slice(-5));
    return { block_id: String(block.block_id ?? ""), action_id, action_ts: world.nextTs() };
  }

  return {
    press: (userId: string, target: MessageRef | SeenView, label: string): Acted => {
      const isIt = (element: Loose) => element.type === "button" && labelOf(element.text) === label;
      const found = find(userId, target, isIt, `button "${label}"`);
      const { element } = found;
      return act(userId, target, {
        type: "button",
        ...baseOf(found),
        text: { type: "plain_text", text: label, emoji: true },
        ...(element.value === undefined ? {} : { value: String(element.value) }),
        ...(element.style === undefined ? {} : { style: element.style }),
        ...(element.url === undefined ? {} : { url: String(element.url) }),
      });
    },
    select: (userId: string, target: MessageRef | SeenView, label: string): Acted => {
      const offers = (element: Loose) => optionsOf(element).find((option) => labelOf(option.text) === label);
      const found = find(userId, target, (element) => offers(element) !== undefined, `option "${label}"`);
      const option = offers(found.element) ?? {};
      const selected_option = { text: option.text, value: String(option.value) };
      return act(userId, target, { type: found.element.type, ...baseOf(found), selected_option } as BlockElementAction);
    },
    submit: (userId: string, value: string | Readonly<Record<string, string>>): Acted => {
      const record = world.modals.get(userId)?.at(-1);
      if (!record) throw new Error(`${world.user(userId).realName} has no modal open`);
      fillIn(record, value);
      const trigger_id = issueTrigger(world, userId);
      const payload = {
        ...common,
        type: "view_submission",
        user: personOf(userId),
        trigger_id,
        view: viewBody(world, record),
        response_urls: [],
      } satisfies ViewSubmitAction;
      const delivery = sockets.interact("interactive", "view_submission", { ...payload, enterprise: null });
      answerSubmission(world, record, delivery);
      return acted(trigger_id, "", delivery);
    },
    closeView: (userId: string): void => {
      const stack = world.modals.get(userId) ?? [];
      const record = stack.pop();
      if (!record) throw new Error(`${world.user(userId).realName} has no modal open`);
      world.changed();
      const view = viewBody(world, record);
      if (!view.notify_on_close) return;
      const payload = {
        ...common,
        type: "view_closed",
        user: personOf(userId),
        view,
        is_cleared: false,
      } satisfies ViewClosedAction;
      sockets.interact("interactive", "view_closed", { ...payload, enterprise: null });
    },
    command: (userId: string, channelId: string, command: string, text = ""): Acted => {
      const channel = people.channelOf(userId, channelId);
      const trigger_id = issueTrigger(world, userId);
      const response_url = responses.issue(channel.id, userId);
      const payload = {
        token: "stand-in",
        team_id: world.team.id,
        team_domain: world.team.domain,
        channel_id: channel.id,
        channel_name: channelName(channel),
        user_id: userId,
        user_name: world.user(userId).name,
        command,
        text,
        api_app_id: world.appId,
        is_enterprise_install: "false",
        response_url,
        trigger_id,
      } satisfies SlashCommand;
      const delivery = sockets.interact("slash_commands", command, payload);
      showReply(world, delivery, channel, userId);
      return acted(trigger_id, response_url, delivery);
    },
    messageShortcut: (userId: string, ref: MessageRef, callback_id: string): Acted => {
      const record = shownTo(userId, ref);
      const channel = world.channel(record.channel);
      const trigger_id = issueTrigger(world, userId);
      const response_url = responses.issue(channel.id, userId, record);
      const payload = {
        ...common,
        type: "message_action",
        action_ts: world.nextTs(),
        user: personOf(userId),
        channel: { id: channel.id, name: channelName(channel) },
        callback_id,
        trigger_id,
        message_ts: record.ts,
        message: { ...messageBody(world, record), type: "message" },
        response_url,
      } satisfies MessageShortcut & { api_app_id: string };
      return acted(
        trigger_id,
        response_url,
        sockets.interact("interactive", "message_action", { ...payload, enterprise: null }),
      );
    },
    globalShortcut: (userId: string, callback_id: string): Acted => {
      const trigger_id = issueTrigger(world, userId);
      const payload = {
        ...common,
        type: "shortcut",
        action_ts: world.nextTs(),
        user: personOf(userId),
        callback_id,
        trigger_id,
      } satisfies GlobalShortcut & { api_app_id: string };
      return acted(trigger_id, "", sockets.interact("interactive", "shortcut", { ...payload, enterprise: null }));
    },
  };
}

/** Types into the fields of a modal. */
function fillIn(record: ViewRecord, value: string | Readonly<Record<string, string>>): void {
  const fields = elementsOf(record.view.blocks).filter(({ block }) => block.type === "input");
  if (typeof value === "string" && fields.length !== 1)
    throw new Error(`the modal has ${fields.length} fields, not one`);
  for (const { block, element } of fields) {
    const label = labelOf(block.label);
    const given = typeof value === "string" ? value : (value[String(block.block_id)] ?? value[label]);
    const text = given ?? (element.initial_value as string | undefined) ?? "";
    if (text === "" && block.optional !== true) throw new Error(`Slack does not send the modal off without "${label}"`);
    const [least, most] = [Number(element.min_length ?? 0), Number(element.max_length ?? 3000)];
    if (text !== "" && (text.length < least || text.length > most))
      throw new Error(`"${label}" takes ${least} to ${most} characters`);
    const chosen = optionsOf(element).find((option) => labelOf(option.text) === text);
    const said = chosen === undefined ? { value: text === "" ? null : text } : { selected_option: chosen };
    record.state[String(block.block_id)] = { [String(element.action_id)]: { type: element.type, ...said } };
  }
}

/** The acknowledgement of a command may carry the reply itself. */
function showReply(world: World, delivery: Delivery, channel: ChannelRecord, userId: string): void {
  const stop = world.onChange(() => {
    if (delivery.state === "waiting") return;
    stop();
    const { text, blocks, response_type } = delivery.ack ?? {};
    if (typeof text !== "string" && !Array.isArray(blocks)) return;
    putMessage(world, channel, {
      user: world.bot.id,
      botId: world.bot.botId,
      text: typeof text === "string" ? text : "",
      blocks: Array.isArray(blocks) ? blocks : [],
      to: response_type === "in_channel" ? undefined : userId,
    });
    world.changed();
  });
}
