import { type AdapterDeps, type Address, type Form, type InboundEvent, within } from "../../src/chat/index.ts";
import type { Directory, Self } from "./directory.ts";
import { describe } from "./errors.ts";
import { formView, type OpenView, readFormMetadata } from "./forms.ts";
import type { Intake } from "./intake.ts";
import { actionShape, type Pressed, submissionShape } from "./interactions.shapes.ts";
import { actionIds } from "./message.ts";
import { type Origin, toInteraction } from "./origin.ts";
import type { Privately } from "./privately.ts";

export interface PressesDeps {
  readonly self: Self;
  readonly openView: OpenView;
  readonly directory: Directory;
  readonly intake: Intake;
  readonly privately: Privately;
  readonly form: AdapterDeps["form"];
  readonly warn: (message: string, detail: string) => void;
  readonly now: () => number;
  /** How long the core may take to fill in a form. */
  readonly formMs: number;
}

/** What people do with our buttons, lists and forms. Each resolves once it is stored. */
export function createPresses(deps: PressesDeps) {
  const { self, openView, directory, intake, privately, warn, now } = deps;
  const store = (event: InboundEvent) => intake.lanes.run(event.place.channel, () => intake.store(event));

  return {
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
