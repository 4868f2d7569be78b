import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process of its own, asked by messages. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Runs one of its commands there; rejects with what went wrong in it. */
  call<Answer>(command: string, argument?: unknown): Promise<Answer>;
  /** Ends it; resolves when it is gone. */
  end(): Promise<void>;
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** Flags for node itself, such as those of its profiler. */
  readonly nodeFlags?: readonly string[] | undefined;
}

interface Question {
  readonly id: number;
  readonly command: string;
  readonly argument: unknown;
}

type Reply = { readonly id: number } & ({ readonly answer: unknown } | { readonly failure: string });

/** The command `end` is everybody's; a child that has to put things away answers it itself. */
export type Commands = Readonly<Record<string, (argument: never) => unknown>>;

const inherited = ["PATH", "HOME", "LANG", "TMPDIR", "USER"];

/** Starts `bench/<name>.ts`; resolves once it answers. */
export async function startChild(name: string, options: ChildOptions = {}): Promise<Child> {
  const base = Object.fromEntries(inherited.flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])));
  const child = fork(fileURLToPath(new URL(`${name}.ts`, import.meta.url)), {
    env: { ...base, ...options.env },
    execArgv: [...(options.nodeFlags ?? [])],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} did not start`);
  const gone = once(child, "exit");
  const call = askIn(child, name);
  await call("hello");
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) await call("end").catch(() => undefined);
    await gone;
  };
  return { pid, call, end, [Symbol.asyncDispose]: end };
}

function askIn(child: ChildProcess, name: string): Child["call"] {
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let next = 0;
  child.on("message", (message) => {
    const reply = message as Reply;
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("failure" in reply) asked?.reject(new Error(`${name}: ${reply.failure}`));
    else asked?.resolve(reply.answer);
  });
  child.once("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended with code ${code}`));
  });
  return <Answer>(command: string, argument?: unknown) =>
    new Promise<Answer>((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve: (answer) => resolve(answer as Answer), reject });
      child.send({ id, command, argument } satisfies Question);
    });
}

/** The other side: answers the commands of the process that started this one, and ends with it. */
export function answerCommands(commands: Commands): void {
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => void answer(message as Question));

  async function answer({ id, command, argument }: Question): Promise<void> {
    const reply = await run(command, argument).then(
      (given): Reply => ({ id, answer: given }),
      (error: unknown): Reply => ({
        id,
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    // `exit` rather than the end of the loop: that is also what makes node write a profile.
    process.send?.(reply, () => command === "end" && process.exit(0));
  }

  async function run(command: string, argument: unknown): Promise<unknown> {
    const known = commands[command];
    if (known !== undefined) return known(argument as never);
    if (command === "hello" || command === "end") return undefined;
    throw new Error(`no such command: ${command}`);
  }
}
