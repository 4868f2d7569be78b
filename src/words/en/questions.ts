/** Cards that ask a question, and what comes of answering them. */
export const asks = (name: string, question: string) => `${name} asks: ${question}`;
/** One of several that are asked together. */
export const asksOneOf = (name: string, nth: number, of: number, question: string) =>
  `${name} asks (${nth} of ${of}): ${question}`;
/** Something that a connected tool wants to know. */
export const asksForTool = (name: string, server: string, message: string) => `${name} asks, for ${server}: ${message}`;
export const oneOf = (nth: number, of: number, question: string) => `${nth} of ${of}: ${question}`;
/** Something that a connected tool wants to be opened. */
export const opens = (name: string, server: string, message: string) =>
  `${name} asks you to open a page, for ${server}: ${message}`;

export const given = (header: string, answer: string) => `✓ ${header}: ${answer}`;
export const skippedOne = "skipped";
export const hidden = "••••••";
export const chooseSeveral = "Choose one or more, then Done.";
export const typeBelow = "Press “Answer…”, or reply to this message.";
export const secretByPage = "Never write it in a chat. The page is for you alone and works once.";
export const onlyOnMachine = "The link opens only on the machine where Shipmate runs.";

export const buttons = {
  other: "Other…",
  answer: "Answer…",
  skip: "Skip",
  done: "Done",
  decline: "Decline",
  page: "Open the page",
  privately: "Answer in private",
  approve: "Approve",
} as const;
export const ticked = (label: string) => `✓ ${label}`;

/** The form behind "Other…". */
export const form = { title: "Answer", label: (name: string) => `Your answer for ${name}` } as const;

export const chosenBy = (answer: string, name: string) => `${answer} · chosen by ${name}`;
export const saidBy = (answer: string, name: string) => `${answer} · answered by ${name}`;
export const answeredBy = (name: string) => `Answered by ${name}`;
export const skippedBy = (name: string) => `Skipped by ${name}`;
export const declinedBy = (name: string, time: string) => `Declined by ${name} · ${time}`;
export const openedBy = (name: string, time: string) => `Done by ${name} · ${time}`;
export const verdicts = { answer: "answered", skip: "skipped", done: "done", declined: "declined" } as const;

export const reminder = (name: string) => `${name} is still waiting for your answer.`;
export const took = (name: string) => `Thanks, ${name} has your answer.`;
export const tookOne = "Got it. One more:";
export const skipped = "Skipped.";
export const declined = "Declined.";
export const done = "Thanks.";

export const onlyTheyOr = (name: string, role: string) => `Only ${name} or ${role} can answer this.`;
export const onlyRole = (role: string) => `Only ${role} can answer this.`;
export const already = {
  answered: (name: string, time: string) => `${name} already answered this at ${time}.`,
  skipped: (name: string, time: string) => `${name} already skipped this at ${time}.`,
  one: "This question is answered already; the card shows what comes next.",
  same: "That is how it is already.",
  expired: "This has expired, so your answer was not taken.",
} as const;
export const chooseFirst = "Choose at least one first, or press Skip.";
export const neverHere = (name: string) =>
  `Please don't write that here: delete your message if you can. ${name} takes it only on the page behind the button.`;

export const wrong = {
  no_option: "Please choose one of the options.",
  number: "That is not a number.",
  integer: "That is not a whole number.",
  range: (least: number | undefined, most: number | undefined) =>
    least === undefined
      ? `That is more than ${most}.`
      : most === undefined
        ? `That is less than ${least}.`
        : `It has to be from ${least} to ${most}.`,
  length: (shortest: number | undefined, longest: number | undefined) =>
    shortest === undefined
      ? `That is longer than ${longest} characters.`
      : longest === undefined
        ? `That is shorter than ${shortest} characters.`
        : `It has to have ${shortest} to ${longest} characters.`,
  email: "That is not an email address.",
  url: "That is not a web address.",
  date: "Please write a date like 2026-12-31.",
  time: "Please write a date and time like 2026-12-31T08:30:00Z.",
  empty: "There is nothing in it.",
} as const;
export const yes = "Yes";
export const no = "No";

/** The page for an answer that must not stand in a chat. */
export const page = {
  title: (name: string) => `${name} asks`,
  label: "Your answer",
  done: (name: string) => `${name} has your answer and goes on.`,
  here: "Here is the page. It is for you alone.",
  sent: "I sent you the link in a direct message.",
  noChat: "Write to me in a direct message first; then I can send you the link there.",
} as const;

/** Said where a connected tool asked for something that no card can show. */
export const notShown = (server: string) => `${server} asked for something I can't show here, so I declined it.`;
