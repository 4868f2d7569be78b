import { z } from "zod";
import { messageShape } from "./shapes.ts";

const user = z.object({ id: z.string() });

export const commandShape = z.object({
  text: z.string().optional().default(""),
  channel_id: z.string(),
  user_id: z.string(),
  response_url: z.url().optional(),
  trigger_id: z.string(),
});

export const shortcutShape = z.object({
  trigger_id: z.string(),
  response_url: z.url().optional(),
  channel: z.object({ id: z.string() }),
  user,
  message: messageShape,
});

const action = z.object({
  action_id: z.string(),
  value: z.string().optional(),
  selected_option: z.object({ value: z.string() }).nullish(),
});

/** A press or a choice, in a message or on a page of ours. */
export const actionShape = z
  .object({
    trigger_id: z.string(),
    response_url: z.url().optional(),
    user,
    channel: z.object({ id: z.string() }).optional(),
    container: z
      .object({
        channel_id: z.string().optional(),
        message_ts: z.string().optional(),
        thread_ts: z.string().optional(),
        is_ephemeral: z.boolean().optional(),
      })
      .optional(),
    message: z.object({ ts: z.string().optional(), thread_ts: z.string().optional() }).optional(),
    actions: z.tuple([action], action),
  })
  .transform(({ actions: [first], channel, container, message, ...rest }) => ({
    ...rest,
    action_id: first.action_id,
    token: first.selected_option?.value ?? first.value,
    channelId: channel?.id ?? container?.channel_id,
    messageId: container?.message_ts ?? message?.ts,
    thread: message?.thread_ts ?? container?.thread_ts,
    isPrivate: container?.is_ephemeral === true,
  }));

export type Pressed = z.infer<typeof actionShape>;

/** A form that was sent off: its one field's value. */
export const submissionShape = z
  .object({
    user,
    view: z.object({
      id: z.string(),
      private_metadata: z.string(),
      state: z.object({
        values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))),
      }),
    }),
  })
  .transform(({ user: who, view }) => ({
    user: who,
    view,
    value: Object.values(view.state.values).flatMap((field) => Object.values(field))[0]?.value ?? "",
  }));
