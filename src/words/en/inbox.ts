/** What the inbox says before any work begins. */
export const empty = (teammate: string) => `Yes? Write what you need in the same message, and ${teammate} gets to it.`;
export const cut = (limit: number) =>
  `That message is very long. I kept the first ${limit.toLocaleString("en")} characters; send the rest as a file.`;
export const tooManyYours = (count: number, teammate: string) =>
  `You already have ${count} messages waiting for ${teammate}. I did not take this one; send it again when some are done, or say stop.`;
export const tooManyAll = (teammate: string) =>
  `${teammate} has too much waiting right now. I did not take this message; please send it again later.`;

export const stopping = (cancelled: number) =>
  cancelled === 0 ? "Stopping." : `Stopping. ${waiting(cancelled)} cancelled.`;
export const cancelled = (count: number) => `${waiting(count)} cancelled.`;
export const nothingToStop = "Nothing you asked for is running here.";
export const notRunning = "That is over already.";
export const notYoursToStop = "Only the person who asked, or a manager, can stop this.";

export const muted = "I listen here only when somebody names me. “unmute” changes that.";
export const unmuted = "I listen to everything here again.";

export const retrying = "Trying again.";
export const nothingToRetry = "There is nothing to try again.";
export const notAllowed = "You may not do that here.";
export const notWaiting = "That is no longer waiting.";
export const buttonGone = "This button no longer works.";

/** Where a form is a message to reply to. `now` is what stands there. */
export const formReply = (label: string, now: string | undefined) =>
  [
    `**${label}**`,
    ...(now === undefined ? [] : [`Now: ${now}`]),
    "Reply to this message, or reply “cancel” to leave it.",
  ].join("\n\n");
export const formLate = "That took a moment too long. Please press it again.";
export const formOver = "That is settled already. Press the button again to change it.";
export const formLeft = "I leave it as it was.";

function waiting(count: number): string {
  return count === 1 ? "1 waiting message" : `${count} waiting messages`;
}
