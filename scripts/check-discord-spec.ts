/**
 * Holds the Discord stand-in against Discord's own description of its API:
 * `node scripts/check-discord-spec.ts discord-openapi.json`. Every kind of call we use is made once through discord.js;
 * what was sent, what came back and the messages and channels of the gateway must fit. What the description lacks is only named.
 */
import { existsSync, readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import {
  ActionRowBuilder,
  ApplicationCommandType,
  ButtonBuilder,
  ButtonStyle,
  Client,
  Events,
  GatewayIntentBits,
  MessageFlags,
  ModalBuilder,
  Partials,
  REST,
  Routes,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { z } from "zod";
import { type Call, createDiscord, type Discord } from "../test/fakes/discord/index.ts";

const content = z.object({ content: z.record(z.string(), z.unknown()).optional() });
const operation = z.object({ requestBody: content.optional(), responses: z.record(z.string(), content.loose()) });
const specification = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
type Specification = z.infer<typeof specification>;

interface Seen {
  readonly event: string;
  readonly data: unknown;
}

/** Where the description is behind the documentation: codes of field errors are words, and forwards have references too. */
const corrections: Readonly<Record<string, unknown>> = {
  Error: { type: "object", properties: { message: { type: "string" } }, required: ["code", "message"] },
  MessageReferenceType: { type: "integer", enum: [0, 1] },
};

/** Which events carry something that the description knows too. */
const eventSchemas: Readonly<Record<string, string>> = {
  MESSAGE_CREATE: "MessageResponse",
  MESSAGE_UPDATE: "MessageResponse",
  CHANNEL_CREATE: "GuildChannelResponse",
  THREAD_CREATE: "ThreadResponse",
};

function createChecker(spec: Specification) {
  // The description uses formats and keywords of OpenAPI that JSON Schema does not know.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, verbose: true });
  const { components } = spec;
  const schemas = { ...components.schemas, ...corrections };
  ajv.addSchema({ ...spec, components: { ...components, schemas } }, "discord");
  const wrong = new Set<string>();
  const unknown = new Set<string>();
  const checked = new Set<string>();

  const check = (pointer: string, value: unknown, where: string) => {
    const validate = ajv.getSchema(`discord#/${pointer}`);
    checked.add(where);
    if (!validate) unknown.add(where);
    else if (!validate(value)) for (const error of telling(validate.errors ?? [])) wrong.add(`${where} ${error}`);
  };
  const call = ({ route, path, body, status, result }: Call) => {
    const [verb = ""] = route.split(" ");
    const found = findPath(Object.keys(spec.paths), path);
    const method = verb.toLowerCase();
    const described = found === undefined ? undefined : spec.paths[found]?.[method];
    if (found === undefined || described === undefined) return void unknown.add(route);
    const { requestBody, responses } = operation.parse(described);
    const pointer = `paths/${inPointer(found)}/${method}`;
    if (body !== undefined && requestBody && (status ?? 500) < 300) {
      check(`${pointer}/requestBody/content/application~1json/schema`, body, `${route} takes:`);
    }
    const answered = `${status}` in responses ? `${status}` : `${status}`.replace(/\d\d$/, "XX");
    const answer = responses[answered];
    if (!answer) wrong.add(`${route} answered ${status}, the description knows ${Object.keys(responses).join(", ")}`);
    else if ("$ref" in answer)
      check(`${`${answer.$ref}`.slice(2)}/content/application~1json/schema`, result, `${route} refuses:`);
    else if (answer.content)
      check(`${pointer}/responses/${answered}/content/application~1json/schema`, result, `${route} gives:`);
    else if (result !== undefined) wrong.add(`${route} gives a body, the description has none`);
  };
  const event = ({ event: name, data }: Seen) => {
    const schema = eventSchemas[name];
    if (schema !== undefined) check(`components/schemas/${schema}`, data, `${name}:`);
  };
  const refuses = (body: unknown) =>
    ajv.getSchema("discord#/components/schemas/MessageCreateRequest")?.(body) === false;
  return { wrong, unknown, checked, call, event, refuses };
}

const inPointer = (path: string) => encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"));

/** Words of a path win over its parameters. */
function findPath(paths: readonly string[], path: string): string | undefined {
  const parts = path.split("/").map(decodeURIComponent);
  const words = (segments: readonly string[]) => segments.filter((one) => !one.startsWith("{")).length;
  return paths
    .map((one) => ({ one, segments: one.split("/") }))
    .filter(({ segments }) => segments.length === parts.length)
    .filter(({ segments }) => segments.every((segment, at) => segment.startsWith("{") || segment === parts[at]))
    .sort((a, b) => words(b.segments) - words(a.segments))[0]?.one;
}

/** Leaves out alternatives that are for another type of thing. */
function telling(errors: readonly ErrorObject[]): string[] {
  const typed = z.object({ properties: z.object({ type: z.object({ enum: z.array(z.unknown()) }) }) });
  const wanted = errors.filter(({ instancePath, keyword, parentSchema, data }) => {
    if (keyword.endsWith("Of") || instancePath.endsWith("/type")) return false;
    const type = typed.safeParse(parentSchema).data?.properties.type.enum;
    return type === undefined || (data instanceof Object && "type" in data && type.includes(data.type));
  });
  const told = wanted.length > 0 ? wanted : errors;
  return told.map(
    ({ instancePath, message, params }) => `${instancePath || "(all)"} ${message} ${JSON.stringify(params)}`,
  );
}

/** Every kind of call and event this project uses, once. */
async function exercise(discord: Discord, client: Client<true>, rest: REST): Promise<void> {
  const { ada, general } = discord;
  const buttons = new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId("go").setLabel("Go").setStyle(ButtonStyle.Primary),
    new ButtonBuilder().setCustomId("form").setLabel("Form").setStyle(ButtonStyle.Secondary),
  );
  const list = new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
    new StringSelectMenuBuilder().setCustomId("list").addOptions({ label: "One", value: "1", description: "First" }),
  );
  const channel = await client.channels.fetch(general);
  if (!channel?.isSendable() || channel.isDMBased() || channel.isThread()) throw new Error("no text channel");

  const said = discord.say(ada, general, `${discord.mention()} hello`, {
    files: [{ name: "a.txt", bytes: Buffer.from("a"), mime: "text/plain" }],
  });
  const card = await channel.send({
    content: "card",
    components: [buttons, list],
    embeds: [{ description: "more", footer: { text: "f" } }],
    reply: { messageReference: said.id },
    allowedMentions: { parse: [] },
    nonce: "n1",
    enforceNonce: true,
  });
  await card.edit({ content: "card, changed" });
  await card.react("👀");
  await channel.sendTyping();
  const file = await channel.send({
    content: "see",
    files: [{ attachment: Buffer.from("b"), name: "b.png", contentType: "image/png" }],
  });
  const text = { type: 10, content: "**all** in components" };
  const shown = {
    type: 17,
    components: [
      text,
      { type: 14 },
      { type: 1, components: [{ type: 2, style: 2, label: "V", custom_id: "v" }] },
      { type: 12, items: [{ media: { url: "attachment://c.png" } }] },
    ],
  };
  await rest.post(Routes.channelMessages(general), {
    body: {
      flags: MessageFlags.IsComponentsV2,
      components: [
        shown,
        { type: 9, components: [text], accessory: { type: 2, style: 5, label: "L", url: "https://example.com" } },
      ],
    },
    files: [{ name: "c.png", data: Buffer.from("c"), contentType: "image/png" }],
  });
  await rest.post(Routes.channelMessages(general), { body: { content: "" } }).catch(() => undefined);
  await rest.post(Routes.channelMessages(general), { body: { content: "a".repeat(2001) } }).catch(() => undefined);
  await rest.get(Routes.channelMessages(general), { query: new URLSearchParams({ after: "0", limit: "5" }) });
  await rest.get(Routes.channelMessage(general, card.id));

  discord.edit(ada, said.id, "hello again");
  discord.embedUpdate(said.id);
  discord.forward(ada, card.id, general);
  const thread = await card.startThread({ name: "Thread", autoArchiveDuration: 1440 });
  discord.say(ada, thread.id, "in the thread");
  await rest.put(Routes.threadMembers(thread.id, "@me"));
  await rest.get(Routes.guildActiveThreads(discord.guildId));
  await rest.patch(Routes.channel(thread.id), { body: { name: "Renamed" } });
  await rest.post(Routes.threads(discord.forum()), { body: { name: "Post", message: { content: "first" } } });
  await file.delete();

  const webhook = await rest.post(Routes.channelWebhooks(general), { body: { name: "Milo" } });
  const { id, token } = z.object({ id: z.string(), token: z.string() }).parse(webhook);
  await rest.get(Routes.channelWebhooks(general));
  const query = new URLSearchParams({ wait: "true", thread_id: thread.id });
  const persona = {
    username: "Milo",
    avatar_url: "https://example.com/milo.png",
    content: "hi",
    allowed_mentions: { parse: [] },
  };
  const spoken = z
    .object({ id: z.string() })
    .parse(await rest.post(Routes.webhook(id, token), { query, body: persona }));
  const inThread = { query: new URLSearchParams({ thread_id: thread.id }) };
  await rest.patch(Routes.webhookMessage(id, token, spoken.id), { ...inThread, body: { content: "hi!" } });
  await rest.delete(Routes.webhookMessage(id, token, spoken.id), inThread);

  const who = { name: "who", description: "Whom", type: 3, required: true, autocomplete: true };
  await rest.put(Routes.applicationCommands(discord.applicationId), {
    body: [
      { name: "ask", description: "Ask", options: [who], contexts: [0, 1] },
      { name: "Ask about this", type: ApplicationCommandType.Message },
    ],
  });
  await rest.get(Routes.applicationCommands(discord.applicationId));
  await interact(discord, client, card.id);

  const dm = await client.users.createDM(ada);
  await dm.send("privately");
  for (const path of [
    Routes.user(),
    Routes.user(ada),
    Routes.currentApplication(),
    Routes.gatewayBot(),
    Routes.guild(discord.guildId),
    Routes.guildMember(discord.guildId, ada),
  ] as const) {
    await rest.get(path);
  }
  await rest.post("/attachments/refresh-urls", { body: { attachment_urls: [said.files[0]?.url] } });
}

const labelled = (custom_id: string, label = "Go") => ({ type: 2, style: 1, label, custom_id });
const options = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `${at}`, value: `${at}` }));

/** Messages that the description refuses: the stand-in must refuse them too. */
const refusedMessages: readonly object[] = [
  { content: "x", components: [{ type: 1, components: [labelled("c".repeat(101))] }] },
  { content: "x", components: [{ type: 1, components: [labelled("c", "l".repeat(81))] }] },
  { content: "x", components: [{ type: 1, components: Array.from({ length: 6 }, (_, at) => labelled(`${at}`)) }] },
  { content: "x", components: [{ type: 1, components: [{ type: 3, custom_id: "s", options: options(26) }] }] },
  { content: "x", components: [{ type: 1, components: [] }] },
  { content: "a".repeat(4001) },
  { content: 7 },
  { content: "x", nonce: "n".repeat(26) },
  { embeds: [{ description: "a".repeat(4097) }] },
  { embeds: Array.from({ length: 11 }, () => ({ description: "a" })) },
];

/** What the stand-in takes although the description refuses it, and what is not refused there at all. */
async function tooLenient(discord: Discord, rest: REST, refuses: (body: unknown) => boolean): Promise<string[]> {
  const lenient: string[] = [];
  for (const body of refusedMessages) {
    const given = JSON.stringify(body).slice(0, 80);
    if (!refuses(body)) lenient.push(`the description takes ${given}`);
    const taken = await rest.post(Routes.channelMessages(discord.general), { body }).then(
      () => true,
      () => false,
    );
    if (taken) lenient.push(`the stand-in takes ${given}`);
  }
  return lenient;
}

/** Answers to interactions in every way we use. */
async function interact(discord: Discord, client: Client<true>, card: string): Promise<void> {
  const { ada, general } = discord;
  const done: Promise<void>[] = [];
  client.on(Events.InteractionCreate, (interaction) => {
    const answer = async () => {
      if (interaction.isAutocomplete()) return void (await interaction.respond([{ name: "Milo", value: "milo" }]));
      if (interaction.isStringSelectMenu()) return void (await interaction.deferUpdate());
      if (interaction.isButton() && interaction.customId === "form") {
        const field = new TextInputBuilder().setCustomId("t").setLabel("Text").setStyle(TextInputStyle.Paragraph);
        const row = new ActionRowBuilder<TextInputBuilder>().addComponents(field);
        return void (await interaction.showModal(
          new ModalBuilder().setCustomId("m").setTitle("Say").addComponents(row),
        ));
      }
      if (interaction.isButton()) {
        await interaction.deferUpdate();
        return void (await interaction.followUp({ content: "noted", flags: MessageFlags.Ephemeral }));
      }
      if (interaction.isChatInputCommand()) {
        await interaction.reply({ content: "asked", withResponse: true });
        return void (await interaction.fetchReply());
      }
      if (interaction.isModalSubmit() || interaction.isContextMenuCommand()) {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral, withResponse: true });
        await interaction.editReply("filled");
        await interaction.deleteReply();
      }
    };
    done.push(answer());
  });
  const offered = await discord.autocomplete(ada, general, "ask", "who", "mi");
  discord.command(ada, general, "ask", { who: `${offered[0]?.value}` });
  discord.contextMenu(ada, card, "Ask about this");
  discord.press(ada, card, "Go");
  discord.select(ada, card, "One");
  discord.press(ada, card, "Form");
  const modal = await discord.waitFor(() => discord.modal(ada));
  discord.submit(ada, modal, "words");
  await discord.waitFor(() => done.length === 7 || undefined);
  await Promise.all(done);
}

async function main(path: string | undefined): Promise<void> {
  if (path === undefined || !existsSync(path)) {
    console.log("Skipped: give the path of Discord's OpenAPI description; none is part of this project.");
    return;
  }
  const spec = specification.loose().parse(JSON.parse(readFileSync(path, "utf8")));
  await using discord = await createDiscord();
  const seen: Seen[] = [];
  const intents = [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.DirectMessages,
    GatewayIntentBits.MessageContent,
  ];
  const client = new Client({ intents, partials: [Partials.Channel], rest: { api: discord.url } });
  client.on(
    Events.Raw,
    (packet: { t?: string; d?: unknown }) => void seen.push({ event: `${packet.t}`, data: packet.d }),
  );
  await client.login(discord.token);
  await discord.waitFor(() => client.isReady());
  const checker = createChecker(spec);
  const rest = new REST({ api: discord.url }).setToken(discord.token);
  if (client.isReady()) await exercise(discord, client, rest);
  for (const text of await tooLenient(discord, rest, checker.refuses)) checker.wrong.add(text);
  await client.destroy();
  for (const call of discord.calls()) checker.call(call);
  for (const event of seen) checker.event(event);
  const routes = new Set(discord.calls().map((call) => call.route)).size;
  console.log(
    `OpenAPI ${spec.openapi}: ${discord.calls().length} calls of ${routes} routes, ${seen.length} events, ${checker.checked.size} kinds checked, ${checker.wrong.size} wrong.`,
  );
  for (const text of checker.unknown) console.log(`  not in the description: ${text}`);
  for (const text of checker.wrong) console.log(`  wrong: ${text}`);
  if (checker.wrong.size > 0) process.exitCode = 1;
}

await main(process.argv[2] ?? process.env.DISCORD_OPENAPI);
