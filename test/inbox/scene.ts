import { afterAll, beforeEach, expect, vi } from "vitest";
import { ada, filled, type Office, openOffice, press, type ShownPost } from "./office.ts";

/** The office of a file of tests, emptied before each of them; with `claimed` Ada owns the bot by then. */
export async function useOffice(prepare?: (office: Office) => Promise<void>): Promise<Office> {
  const office = await openOffice();
  afterAll(() => office[Symbol.asyncDispose]());
  beforeEach(async () => {
    await office.reset();
    await prepare?.(office);
  });
  return office;
}

export const claimed = (office: Office): Promise<void> => office.claim();

/** What was shown last, as people use it; those who use it are told something, which is given back. */
export function lastCard(office: Office) {
  const latest = async (): Promise<ShownPost> => {
    const post = (await office.posts()).at(-1);
    if (!post) throw new Error("nothing was said");
    return post;
  };
  const token = async (label: string): Promise<string> => {
    const { buttons, selects } = await latest();
    const all = [...buttons, ...selects.flatMap(({ options }) => options)];
    const found = all.find((each) => each.label === label);
    if (!found) throw new Error(`nothing to press: ${label} among ${all.map((each) => each.label).join(", ")}`);
    return found.token;
  };
  const use = async (event: ReturnType<typeof press> | ReturnType<typeof filled>): Promise<string | undefined> => {
    await office.sink(event);
    await vi.waitFor(() => expect(office.answers.at(-1)?.interactionId).toBe(event.interaction.id));
    return office.answers.at(-1)?.text;
  };
  return {
    latest,
    token,
    labels: async () => (await latest()).buttons.map(({ label }) => label),
    /** Presses or chooses what has this label. */
    pressed: async (label: string, by = ada, more: Parameters<typeof press>[2] = {}) =>
      use(press(by, await token(label), more)),
    fill: async (label: string, value: string) => use(filled(ada, await token(label), value)),
  };
}
