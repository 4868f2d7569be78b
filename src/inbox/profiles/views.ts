/** What is written; the rest is chosen. */
export const writtenFields = ["name", "title", "job", "picture", "model"] as const;
/** What the buttons of a card are about: a phone shows a few of them at a time, and Discord five rows. */
export const views = ["facts", "edit", "settings", "model", "more"] as const;
export type View = (typeof views)[number];
