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
/** The first words of a colleague. `ask`: what people type before what they want. */
export const welcome = {
  joined: (name: string, title: string, ask: string, hasTasks: boolean) =>
    `**${name}** joined: ${title}. ${hasTasks ? `What should ${name} do first? Press one, or write:` : "To ask:"} ${ask} …`,
  met: (name: string, title: string, ask: string, hasTasks: boolean) =>
    `**${name}**, ${title}, is glad to meet you. ${hasTasks ? "Press one to try something, or write:" : "To ask:"} ${ask} …`,
} as const;

export const whichOne = (names: readonly string[]) =>
  `Whose profile? /agent ${names[0] ?? "NAME"}, for example. There are ${names.join(", ")}.`;

export const labels = {
  name: "Name",
  title: "Title",
  job: "Job",
  autonomy: "Asks",
  access: "Reaches",
  busyMode: "While busy",
  model: "Model",
  effort: "Effort",
  notifications: "Answers",
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
export const busyMode = { steer: "takes in what you add", queue: "one thing after another" } as const;
/** What a button does to that. */
export const letMessages = { steer: "Take in what I add", queue: "One thing after another" } as const;
export const notifications = { on: "notify", off: "come quietly" } as const;
export const beQuiet = "Answer quietly";
export const beHeard = "Notify on answers";
export const buttons = { name: "Name", title: "Title", job: "Job", model: "Model", picture: "Picture" } as const;
export const views = { edit: "Edit", settings: "Settings", model: "Model", more: "More" } as const;
export const back = "Back";
export const copy = "Duplicate";
export const hide = "Hide";
export const show = "Have back";
export const showOne = (name: string) => `Have ${name} back`;
export const isAway = (name: string) => `${name} is away.`;
export const isBack = (name: string) => `${name} is back.`;
export const comesBack = (name: string) => `Everything is kept. To have ${name} back: /agent show ${name}`;
export const awayKeeps = "Away: takes nothing new, and keeps everything.";
export const awayTitle = "Away:";
/** To somebody who asks for them. `instead`: who would answer. */
export const away = (names: readonly string[], instead: string | undefined) => {
  const who = names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const said = `${who} ${names.length < 2 ? "is" : "are"} away.`;
  return instead === undefined ? said : `${said} ${instead} can help.`;
};
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
  copy: { title: "Duplicate", label: "What is the copy's name?" },
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
  never_wider: "Only a person can let somebody do more.",
  last_one: "Somebody has to stay. Have somebody else back first, or add somebody.",
  gone: "That colleague is not here any more.",
} as const;

/** What to try first with somebody, by the words of the job; each at most 40 characters. */
export const tasksFor = (job: string): readonly string[] =>
  tasksByJob.find(({ about }) => about.test(job))?.tasks ?? generalTasks;

const generalTasks = [
  "What can you do for me?",
  "Tell me what you could take over",
  "Make a first plan for your job",
] as const;

const tasksByJob: readonly { readonly about: RegExp; readonly tasks: readonly string[] }[] = [
  {
    about: /\b(?:book-?keep|account(?:s|ing|ant)\b|invoic|tax|budget|expens|financ)/iu,
    tasks: ["Check an invoice for mistakes", "Make a simple budget table", "List what you need to start"],
  },
  {
    about: /\b(?:design|logo|brand|layout|illustrat)/iu,
    tasks: ["Sketch three ideas for a logo", "Suggest colours for a page", "Look at a page and say what to change"],
  },
  {
    about: /\b(?:code|coding|develop|engineer|program|software|bugs?\b)/iu,
    tasks: ["Look through a project with me", "Find and fix a small bug", "Write a test for something"],
  },
  {
    about: /\b(?:support|customer|helpdesk|help desk|communit)/iu,
    tasks: ["Draft a reply to a customer", "Write a short how-to", "List questions people often ask"],
  },
  {
    about: /\b(?:sales|marketing|campaign|advert|outreach|newsletter)/iu,
    tasks: ["Draft a short announcement", "Suggest five ideas for a campaign", "Describe what we sell in a sentence"],
  },
  {
    about: /\b(?:research|analy[sz]|data\b|reports?\b|compar)/iu,
    tasks: ["Compare three tools for a job", "Sum up a long document", "Make a chart from a table"],
  },
  {
    about: /\b(?:writ|edit|copy|blog|translat|proofread|content)/iu,
    tasks: ["Tidy up a text of mine", "Draft a short announcement", "Translate a message"],
  },
  {
    about: /\b(?:assist|secretar|calendar|travel|organi[sz]|office|schedul|plan)/iu,
    tasks: ["Plan my week from a list", "Write a polite reminder", "Make a checklist for a trip"],
  },
];
