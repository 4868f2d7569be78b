import {
  type APIApplication,
  type APIApplicationCommand,
  type APIUser,
  ApplicationFlags,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import type { Handler, Request } from "./access.ts";
import { channelsOf, describeChannel, noFlags } from "./channels.ts";
import { commandProblems, type GivenCommand } from "./command-rules.ts";
import { ApiFailure, missingAccess, refuse, unknownUser } from "./failure.ts";
import { refreshAddress } from "./files.ts";
import { describeGuild } from "./guilds.ts";
import { leaveGuild } from "./places.ts";
import type { GuildRecord, World } from "./world.ts";

export const applicationRoutes: Readonly<Record<string, Handler>> = {
  "GET /gateway": ({ world }) => ({ url: gatewayAddress(world) }),
  "GET /gateway/bot": ({ world }) => ({
    url: gatewayAddress(world),
    shards: 1,
    session_start_limit: { total: 1000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 },
  }),
  "GET /users/@me": ({ world }) => ownAccount(world),
  "GET /users/@me/guilds": ({ world }) =>
    [...world.guilds.values()]
      .filter((guild) => guild.joined)
      .map(({ id, name }) => ({ id, name, icon: null, banner: null, owner: false, permissions: "0", features: [] })),
  "DELETE /users/@me/guilds/:guild": (request) => leaveGuild(request.world, guildOf(request)),
  "GET /users/:user": ({ world, params }) => {
    const user = world.users.get(params.user ?? "");
    if (!user) throw unknownUser();
    return user;
  },
  "GET /applications/@me": ({ world }) => describeApplication(world),
  "GET /oauth2/applications/@me": ({ world }) => describeApplication(world),
  "GET /applications/:application/commands": (request) => commandsIn(own(request), undefined),
  "PUT /applications/:application/commands": (request) => overwrite(own(request), request, undefined),
  "POST /applications/:application/commands": (request) => addCommand(own(request), request, undefined),
  "DELETE /applications/:application/commands/:command": (request) => dropCommand(own(request), request, undefined),
  "GET /applications/:application/guilds/:guild/commands": (request) => commandsIn(own(request), guildOf(request).id),
  "PUT /applications/:application/guilds/:guild/commands": (request) =>
    overwrite(own(request), request, guildOf(request).id),
  "POST /applications/:application/guilds/:guild/commands": (request) =>
    addCommand(own(request), request, guildOf(request).id),
  "DELETE /applications/:application/guilds/:guild/commands/:command": (request) =>
    dropCommand(own(request), request, guildOf(request).id),
  "GET /guilds/:guild": (request) => describeGuild(request.world, guildOf(request)),
  "GET /guilds/:guild/roles": (request) => guildOf(request).roles,
  "GET /guilds/:guild/channels": (request) =>
    channelsOf(request.world, guildOf(request))
      .filter((one) => !one.thread)
      .map((one) => describeChannel(request.world, one)),
  "GET /guilds/:guild/members/:user": (request) => {
    const member = guildOf(request).members.get(request.params.user ?? "");
    if (!member) throw new ApiFailure(404, 10007, "Unknown Member");
    return member;
  },
  "POST /attachments/refresh-urls": ({ world, json }) => {
    const { attachment_urls = [] } = (json ?? {}) as { attachment_urls?: string[] };
    if (attachment_urls.length < 1 || attachment_urls.length > 50) {
      const message = "Must be between 1 and 50 in length.";
      refuse([{ path: "attachment_urls", code: "BASE_TYPE_BAD_LENGTH", message }]);
    }
    return {
      refreshed_urls: attachment_urls.map((original) => ({
        original,
        refreshed: refreshAddress(world, original) ?? null,
      })),
    };
  },
};

const gatewayAddress = (world: World) => `${world.origin.replace("http", "ws")}/gateway`;

const ownAccount = (world: World): APIUser => ({
  ...world.bot,
  mfa_enabled: true,
  verified: true,
  email: null,
  locale: "en-US",
  premium_type: 0,
});

/** An application with fewer users than need a review has the toggle as "limited". */
export const applicationFlags = ({ options }: World): number =>
  options.messageContentIntent === false ? noFlags : ApplicationFlags.GatewayMessageContentLimited;

function describeApplication(world: World): APIApplication {
  const flags = applicationFlags(world);
  const owner = [...world.users.values()].find((user) => !user.bot);
  // What Discord's description lists and its types do not.
  const newer = { type: null, explicit_content_filter: 0, eligible_oauth2_scopes: [] };
  return {
    ...newer,
    ...(owner ? { owner } : {}),
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    role_connections_verification_url: null,
    id: world.applicationId,
    name: world.bot.username,
    icon: null,
    description: "",
    summary: "",
    bot: world.bot,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    team: null,
    flags,
    flags_new: `${flags}`,
    approximate_guild_count: [...world.guilds.values()].filter((guild) => guild.joined).length,
    install_params: { scopes: [], permissions: `${PermissionFlagsBits.SendMessages}` },
    redirect_uris: [],
    interactions_endpoint_url: null,
    event_webhooks_url: null,
  };
}

function own({ world, params }: Request): World {
  if (params.application !== world.applicationId) {
    throw new ApiFailure(403, 20012, "You are not authorized to perform this action on this application");
  }
  return world;
}

function guildOf({ world, params }: Request): GuildRecord {
  const guild = world.guilds.get(params.guild ?? "");
  if (!guild) throw new ApiFailure(404, 10004, "Unknown Guild");
  if (!guild.joined) throw missingAccess();
  return guild;
}

const commandsIn = (world: World, guildId: string | undefined) =>
  world.commands.filter((one) => one.guild_id === guildId);

/** Replaces all commands of a scope; those of the same name and type keep their id. */
function overwrite(world: World, { json }: Request, guildId: string | undefined): APIApplicationCommand[] {
  if (!Array.isArray(json)) {
    throw new ApiFailure(400, 50035, "Invalid Form Body", {
      errors: { _errors: [{ code: "LIST_TYPE_CONVERT", message: "Only iterables may be used in a ListType" }] },
    });
  }
  const given = json as readonly GivenCommand[];
  refuse(commandProblems(given));
  const before = commandsIn(world, guildId);
  const next = given.map((one) => register(world, one, guildId, before));
  world.commands = [...world.commands.filter((one) => one.guild_id !== guildId), ...next];
  world.commandWrites += 1;
  world.changed();
  return next;
}

function addCommand(world: World, { json }: Request, guildId: string | undefined): APIApplicationCommand {
  const given = (json ?? {}) as GivenCommand;
  refuse(commandProblems([given]));
  const command = register(world, given, guildId, commandsIn(world, guildId));
  world.commands = [...world.commands.filter((one) => one.id !== command.id), command];
  world.commandWrites += 1;
  world.changed();
  return command;
}

function dropCommand(world: World, { params }: Request, guildId: string | undefined): void {
  const found = commandsIn(world, guildId).find((one) => one.id === params.command);
  if (!found) throw new ApiFailure(404, 10063, "Unknown application command");
  world.commands = world.commands.filter((one) => one !== found);
  world.changed();
}

function register(
  world: World,
  given: GivenCommand,
  guildId: string | undefined,
  before: readonly APIApplicationCommand[],
): APIApplicationCommand {
  const type = given.type ?? 1;
  const id = before.find((one) => one.name === given.name && one.type === type)?.id ?? world.newId();
  return {
    id,
    type,
    application_id: world.applicationId,
    version: world.newId(),
    name: given.name ?? "",
    name_localizations: null,
    description: given.description ?? "",
    description_localizations: null,
    default_member_permissions: given.default_member_permissions ?? null,
    dm_permission: true,
    nsfw: given.nsfw ?? false,
    contexts: given.contexts ? [...given.contexts] : null,
    integration_types: [...(given.integration_types ?? [0])],
    ...(given.options === undefined ? {} : { options: [...given.options] }),
    ...(guildId === undefined ? {} : { guild_id: guildId }),
  };
}
