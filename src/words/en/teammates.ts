/** Colleagues: the list, one profile, and how somebody new joins. */
export const works = (person: string | null, elapsed: string) =>
  person === null ? `works · ${elapsed}` : `works for ${person} · ${elapsed}`;
export const worksElsewhere = "works elsewhere";
export const waits = "waits for a decision";
export const waitsForYou = "waits for you";
export const free = "free";
export const andMore = (count: number) => `and ${count} more`;
/** One line of /team; whoever is a stranger sees no state. */
export const line = (name: string, title: string, state: string | null) =>
  `- **${name}**, ${title}${state === null ? "" : ` · ${state}`}`;
export const howToAsk = (name: string) => `To ask one: /ask ${name} …`;
export const howToAdd = "To add one: /team add Penny, a bookkeeper who checks invoices";
export const needsManager = "Only managers and above can do that.";

export const draft = {
  heading: "Somebody new:",
  noName: "no name yet",
  create: "Create",
  chooseName: "Choose a name",
  editName: "Edit name",
  editTitle: "Edit title",
  editJob: "Edit job",
  cancel: "Cancel",
  cancelled: "Nobody new, then.",
  title: "Colleague",
  job: "Helps with whatever comes up.",
} as const;
export const joined = (name: string, ask: string) => `${name} joined. /ask ${ask} …`;

export const whichOne = (names: readonly string[]) =>
  `Whose profile? /agent ${names[0] ?? "NAME"}, for example. There are ${names.join(", ")}.`;

export const labels = {
  name: "Name",
  title: "Title",
  job: "Job",
  autonomy: "Asks",
  access: "Reaches",
  model: "Model",
  effort: "Effort",
  picture: "Picture",
} as const;
export const autonomy = {
  ask_all: "before everything",
  ask_consequential: "before what matters",
  autonomous: "never",
} as const;
export const access = {
  workspace: "its own folder",
  full: "the whole computer",
} as const;
export const accessNote = {
  workspace: "Works in its own folder only",
  full: "Only on a computer marked isolated",
} as const;
export const fullNeedsIsolation = "That needs an isolated computer; on any other it stays in its folder.";
/** Where nothing was chosen. */
export const usual = "default";
export const none = "none";
/** What people write to choose nothing. */
export const nothing: readonly string[] = ["", "-", "none", "default"];
export const effort = {
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "extra high",
} as const;
export const buttons = { name: "Name", title: "Title", job: "Job", model: "Model", picture: "Picture" } as const;
export const answersHere = "Let it answer here";
export const leads = (name: string) => `${name} answers here by default.`;
export const saved = "Saved.";

/** Titles are at most 24 characters, labels at most 45. */
export const forms = {
  name: { title: "Name", label: "What is the name?" },
  title: { title: "Title", label: "What is the title?" },
  job: { title: "Job", label: "What is the job?" },
  model: { title: "Model", label: "Which model? Or “default”" },
  picture: { title: "Picture", label: "An https address, one emoji, or “none”" },
} as const;

export const problems = {
  name_missing: "It needs a name.",
  name_long: "A name has at most 80 characters.",
  name_lines: "A name goes on one line.",
  name_letters: "A name needs at least one letter or digit.",
  name_taken: "Somebody here has that name already. Choose another one.",
  title_missing: "It needs a title.",
  title_long: "A title has at most 120 characters.",
  title_lines: "A title goes on one line.",
  job_missing: "Say in a sentence what the job is.",
  job_long: "A job has at most 2,000 characters.",
  model_long: "The name of a model is one word of at most 100 characters.",
  effort_unknown: "I don't know that effort.",
  picture_unknown: "A picture is one emoji, or an address that begins with https://.",
  too_many: "There are 100 colleagues already. That is as many as I can keep apart.",
  not_allowed: "You may not change that.",
  gone: "That colleague is not here any more.",
} as const;
