import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Endpoint } from "../src/codex/index.ts";
import { newId } from "../src/shared/index.ts";
import { fakeModelName } from "../test/fakes/model/index.ts";
import type { BotMeters } from "./bot.ts";
import { type Chats, type Person, type Platform, startChats } from "./chats.ts";
import { type Child, startChild } from "./child.ts";
import { type Cluster, query } from "./database.ts";

export type CodexKind = "stand-in" | "real";

/** What every scenario is made in. */
export interface Bench {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly quick: boolean;
  readonly long: boolean;
  /** Flags for the bot's node. */
  readonly botFlags: readonly string[];
}

export interface Codex extends AsyncDisposable {
  readonly kind: CodexKind;
  /** `timed` notes when a turn/start goes by. */
  readonly endpoints: { readonly direct: Endpoint; readonly timed: Endpoint; readonly pid?: number };
  readonly child: Child;
}

export async function startCodex(bench: Bench, kind: CodexKind): Promise<Codex> {
  const cwd = await mkdtemp(join(bench.folder, "codex-"));
  const child = await startChild("codex", { cwd, env: { BENCH_CODEX: kind } });
  const endpoints = await child.call<Codex["endpoints"]>("endpoint");
  return { kind, endpoints, child, [Symbol.asyncDispose]: child.end };
}

/** A bot with people who may ask it, each in a private chat. */
export interface World extends AsyncDisposable {
  readonly chats: Chats;
  readonly people: readonly Person[];
  readonly databaseUrl: string;
  readonly bot: Child;
  meters(): Promise<BotMeters>;
}

export interface WorldOptions {
  readonly endpoint: Endpoint;
  readonly people: number;
  /** Without the pace that platforms ask for. */
  readonly unpaced: boolean;
  /** What the bot is connected to; people write in the first one. Telegram when absent. */
  readonly platforms?: readonly [Platform, ...Platform[]] | undefined;
}

const ownerCode = "ABCD-2345";

export async function startWorld(bench: Bench, options: WorldOptions): Promise<World> {
  const stack = new AsyncDisposableStack();
  const home = await mkdtemp(join(bench.folder, "home-"));
  await mkdir(home, { recursive: true });
  const [first, ...others] = options.platforms ?? ["telegram"];
  const chats = stack.use(await startChats(first));
  let env = chats.env;
  for (const platform of others) env = { ...env, ...stack.use(await startChats(platform)).env };
  const databaseUrl = await bench.cluster.create();
  const bot = stack.use(
    await startChild("bot", {
      cwd: home,
      nodeFlags: bench.botFlags,
      env: {
        SHIPMATE_HOME: home,
        DATABASE_URL: databaseUrl,
        ...env,
        CODEX_URL: options.endpoint.url,
        CODEX_TOKEN: options.endpoint.token ?? "",
        SHIPMATE_MODEL: fakeModelName,
        SHIPMATE_OWNER_CODE: ownerCode,
        // Every chat its turn: what waits for a free slot is another question.
        MAX_CONCURRENT_RUNS: "200",
        PORT: "0",
        // As the shipped command does for itself.
        NODE_COMPILE_CACHE: fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)),
        BENCH_UNPACED: options.unpaced ? "yes" : "no",
      },
    }),
  );
  await chats.ask(chats.person("Ada"), ownerCode, "You own this Shipmate");
  const people = Array.from({ length: options.people }, (_, index) => chats.person(`Guest ${index + 1}`));
  await admit(databaseUrl, first, people);
  const rest = stack.move();
  return {
    chats,
    people,
    databaseUrl,
    bot,
    meters: () => bot.call<BotMeters>("meters"),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

/** More messages than this (20) waiting for one teammate are refused, so a crowd needs several. */
const chatsPerTeammate = 10;

/** Makes members of people, as an invitation each would, and gives every ten of them a teammate. */
async function admit(databaseUrl: string, platform: Platform, people: readonly Person[]): Promise<void> {
  const teammates = Array.from({ length: Math.ceil(people.length / chatsPerTeammate) }, newId);
  const rows = people.map((person, index) => ({
    person: newId(),
    identity: newId(),
    place: newId(),
    user: person.id,
    channel: person.channel,
    name: person.name,
    teammate: teammates[Math.floor(index / chatsPerTeammate)],
  }));
  await query(
    databaseUrl,
    `with connection as (select id from connections where platform = $2),
      rows as (select * from jsonb_to_recordset($1::jsonb)
        as r (person uuid, identity uuid, place uuid, "user" text, channel text, name text, teammate uuid)),
      colleagues as (
        insert into teammates (id, handle, name, title, job, instructions, autonomy, access, busy_mode)
        select distinct on (r.teammate) r.teammate, 'milo' || r.teammate, t.name, t.title, t.job, t.instructions, t.autonomy,
          t.access, t.busy_mode
        from rows r, teammates t),
      members as (insert into people (id, display_name, role) select person, name, 'member' from rows),
      accounts as (
        insert into identities (id, connection_id, platform_user_id, person_id, display_name, dm_channel)
        select identity, (select id from connection), "user", person, name, channel from rows)
    insert into places (id, connection_id, channel, kind, access, lead_teammate_id)
      select place, (select id from connection), channel, 'dm', 'members', teammate from rows`,
    [JSON.stringify(rows), platform],
  );
}
