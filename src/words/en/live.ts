/** The live view: one short message that says what a teammate is doing right now. */
import { duration } from "./time.ts";

export { duration };
export const working = "working";
export const waitingForYou = "waiting for you";
export const retrying = "the model doesn't answer, trying again";
/** After a name that the platform puts before it: "Milo is working". */
export const status = {
  working: "is working",
  waiting: "is waiting for you",
  retrying: "gets no answer from the model and tries again",
  writing: "writing the answer",
  step: (doing: string) => doing.charAt(0).toLowerCase() + doing.slice(1),
} as const;
export const decideHere = "Decide here";
export const stop = "Stop";

export const steps = (count: number) => (count === 1 ? "1 step" : `${count} steps`);

/** A duration in whole minutes, for what takes a person's time. */
export const roughly = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return "less than a minute";
  return minutes < 60 ? `${minutes} min` : duration(minutes * 60_000);
};

/** For a line that is renewed every ten seconds: nothing at first, then whole tens, so that it never looks stuck. */
export const tens = (ms: number): string => (ms < 10_000 ? "" : duration(Math.floor(ms / 10_000) * 10_000));

interface StepWords {
  readonly doing: string;
  readonly did: string;
}
/** What somebody denied. */
export const notDone = (doing: string) => `Not done: ${status.step(doing)}`;
const files = (names: readonly string[]) => (names.length === 1 ? (names[0] ?? "a file") : `${names.length} files`);

export const read = (names: readonly string[]): StepWords => ({
  doing: `Reading ${files(names)}`,
  did: `Read ${files(names)}`,
});
export const edit = (paths: readonly string[]): StepWords => ({
  doing: `Editing ${files(paths)}`,
  did: `Edited ${files(paths)}`,
});
export const command = (line: string): StepWords => ({ doing: `Running ${line}`, did: `Ran ${line}` });
export const list: StepWords = { doing: "Looking through folders", did: "Looked through folders" };
export const find = (query: string): StepWords =>
  query === ""
    ? { doing: "Searching the files", did: "Searched the files" }
    : { doing: `Searching the files for ${query}`, did: `Searched the files for ${query}` };
export const search = (query: string): StepWords =>
  query === ""
    ? { doing: "Searching the web", did: "Searched the web" }
    : { doing: `Searching the web for ${query}`, did: `Searched the web for ${query}` };
export const image = (name: string): StepWords => ({ doing: `Looking at ${name}`, did: `Looked at ${name}` });
export const tool = (name: string): StepWords => ({ doing: `Using ${name}`, did: `Used ${name}` });
export const askApproval: StepWords = { doing: "Asking for approval", did: "Asked for approval" };
export const askQuestion: StepWords = { doing: "Asking a question", did: "Asked a question" };
export const attachFiles: StepWords = { doing: "Getting files ready", did: "Got files ready" };
export const compaction: StepWords = { doing: "Tidying up the conversation", did: "Tidied up the conversation" };
/** Codex's own kinds that have no words of their own. */
export const other = (name: string): StepWords => {
  if (name === "image") return { doing: "Making an image", did: "Made an image" };
  if (name === "helper") return { doing: "Working with a helper", did: "Worked with a helper" };
  if (name === "review") return { doing: "Reviewing the changes", did: "Reviewed the changes" };
  return tool(name);
};
