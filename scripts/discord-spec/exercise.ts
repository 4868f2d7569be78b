import {
  ActionRowBuilder,
  ApplicationCommandType,
  ButtonBuilder,
  ButtonStyle,
  type Client,
  Events,
  MessageFlags,
  ModalBuilder,
  type REST,
  Routes,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { z } from "zod";
import type { Discord } from "../../test/fakes/discord/index.ts";

/** Every kind of call and event this project uses, once. */
export async function exercise(discord: Discord, client: Client<true>, rest: REST): Promise<void> {
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
