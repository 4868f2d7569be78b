/** Taking back what was said. */
const listed = (names: readonly string[]) =>
  names.length <= 1 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

export const how =
  "Reply to the message with /delete. Where the app lets you delete your message yourself, that does it too: I forget it then.";
/** `fresh`: whose conversations go on without it. */
export const done = (fresh: readonly string[]) =>
  fresh.length === 0
    ? "Deleted. I kept no copy of it."
    : `Deleted. I kept no copy of it, and ${listed(fresh)} will go on here from what else was said, without it.`;
export const beforeStart = "Deleted, before anybody began with it.";
export const unknown = "I don't have that message, so there is nothing to delete.";
export const notThis = "I can take back answers and files of a teammate. This is neither.";
export const notYours = "That is somebody else's message. They, the owner or an admin can delete it.";
export const notYourAnswer = "Somebody else asked for that. They or a manager can delete it.";
export const inWork = (name: string) => `${name} is working on it. Stop that first with /stop, then delete it.`;
