import type { AuthTestResponse, TeamInfoResponse, UsersInfoResponse } from "@slack/web-api";
import { ApiFailure } from "./failure.ts";
import { type Fields, requiredField } from "./fields.ts";
import type { UserRecord, World } from "./world.ts";

export function authTest(world: World, token: "bot" | "app"): Omit<AuthTestResponse, "ok"> & Record<string, unknown> {
  if (token === "app") return { app_name: world.bot.realName, app_id: world.appId };
  return {
    url: `https://${world.team.domain}.slack.com/`,
    team: world.team.name,
    user: world.bot.name,
    team_id: world.team.id,
    user_id: world.bot.id,
    bot_id: world.bot.botId,
    is_enterprise_install: false,
  };
}

export function teamInfo(world: World): Omit<TeamInfoResponse, "ok"> & Record<string, unknown> {
  const { id, name, domain } = world.team;
  return { team: { id, name, domain, email_domain: "", url: `https://${domain}.slack.com/` } };
}

export function usersInfo(world: World, fields: Fields): Omit<UsersInfoResponse, "ok"> & Record<string, unknown> {
  const user = world.users.get(requiredField(fields, "user"));
  if (!user) throw new ApiFailure("user_not_found");
  return { user: userBody(world, user) };
}

export function userBody(world: World, user: UserRecord): NonNullable<UsersInfoResponse["user"]> {
  return {
    id: user.id,
    team_id: world.team.id,
    name: user.name,
    deleted: false,
    real_name: user.realName,
    tz: "Europe/Amsterdam",
    tz_label: "Central European Time",
    tz_offset: 3600,
    profile: {
      real_name: user.realName,
      real_name_normalized: user.realName,
      display_name: user.botId === undefined ? user.realName : "",
      display_name_normalized: user.botId === undefined ? user.realName : "",
      team: world.team.id,
      ...(user.botId === undefined ? {} : { bot_id: user.botId }),
    },
    is_admin: false,
    is_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: user.botId !== undefined,
    is_app_user: false,
    updated: 1_790_000_000,
  };
}
