import {
  addFile,
  call,
  type ModelRequest,
  pause,
  type Reply,
  type Script,
  say,
  shell,
} from "../test/fakes/model/index.ts";

/**
 * What the offline model says. It is a script, not a mind: it looks for a word in the request and shows one thing
 * Shipmate can do. It says so itself, because nobody should mistake it for a model.
 */
export const demoScript: Script = (request) => {
  const story = stories.find(({ word }) => word.test(request.lastUserText)) ?? hello;
  return story.tell(outputsSincePerson(request));
};

interface Story {
  readonly word: RegExp;
  /** One response of the model, given what its calls returned so far in this turn. */
  readonly tell: (outputs: readonly string[]) => Reply;
}

const paceMs = 25;

const hello: Story = {
  word: /^$/,
  tell: () => [
    say(
      [
        "Hi! I'm **not a real model**: this demo runs offline, and a small script answers in Milo's place.",
        "Everything around it is real: Codex, its sandbox, the database, the queue, and the buttons. Try:",
        "",
        "- `run a command`: I ask before I leave my sandbox, and you decide",
        "- `write me a note`: you get a file",
        "- `take your time`: watch me work, and stop me",
        "",
        "With your own model, in Telegram, Discord or Slack: set `OPENAI_API_KEY` and a bot token (docs/set-up.md), then `npm start`.",
      ].join("\n"),
      { paceMs },
    ),
  ],
};

const command: Story = {
  word: /\b(run|command|machine)\b/i,
  tell: ([output]) =>
    output === undefined
      ? [
          say("I'll look at this machine. That leaves my sandbox, so I need your word.", {
            paceMs,
            phase: "commentary",
          }),
          shell("uname -a", {
            escalated: true,
            justification: "the demo wants to show you a card",
          }),
        ]
      : [say(commandAnswer(output), { paceMs })],
};

function commandAnswer(output: string): string {
  if (/rejected/i.test(output)) return "You said no, so I left it alone. Ask me again whenever you like.";
  const printed = output.slice(output.lastIndexOf("Output:") + "Output:".length).trim();
  return `Done. It printed:\n\n\`\`\`\n${printed}\n\`\`\`\n\nWith _For this task_ or _Always_ you would not be asked the next time.`;
}

const note: Story = {
  word: /\b(note|file|write|page)\b/i,
  tell: ([patched, sent]) => {
    if (patched === undefined) {
      const at = new Date().toISOString().slice(0, 19).replace("T", " ");
      const lines = ["# A note from the demo", "", `Written ${at} UTC by a script that plays Milo.`, ""];
      return [
        say("I'll put it into my workspace.", { paceMs, phase: "commentary" }),
        addFile(`note-${at.replace(/\D/g, "")}.md`, lines),
      ];
    }
    const path = /note-\d+\.md/.exec(patched)?.[0];
    if (path === undefined) return [say(`I could not write the note: ${patched}`)];
    if (sent === undefined)
      return [call("shipmate", "attach_files_to_response", { files: [{ path, caption: "A note from the demo" }] })];
    return [say("Here is your note. In Telegram it arrives as a document.", { paceMs })];
  },
};

const slow: Story = {
  word: /\b(time|slow|long)\b/i,
  tell: (outputs) => {
    const steps = ["Reading", "Thinking", "Checking", "Tidying"];
    const step = steps[outputs.length];
    return step === undefined
      ? [say("All four steps are done. You could have stopped me at any time: `/stop`, or Ctrl-C once.", { paceMs })]
      : [pause(300), shell(`echo ${step}; sleep 2`)];
  },
};

const publish: Story = {
  word: /\b(publish|delete|send)\b/i,
  tell: ([output]) =>
    output === undefined
      ? [
          call("shipmate", "request_approval", {
            title: "Publish the note",
            details: "It would appear on the team's page. (In this demo nothing is published.)",
            reversible: false,
          }),
        ]
      : [say(`The decision reached me: ${output.split("\n")[0]}`, { paceMs })],
};

const stories: readonly Story[] = [command, note, publish, slow];

/** What the calls of this turn returned, oldest first: everything behind the last thing the person said. */
function outputsSincePerson(request: ModelRequest): string[] {
  const last = request.input.findLastIndex((item) => item.role === "user");
  return request.input
    .slice(last + 1)
    .filter((item) => item.type.endsWith("_output"))
    .map((item) => item.text);
}
