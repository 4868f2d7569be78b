import type { Handler } from "./access.ts";
import { applicationRoutes } from "./application-routes.ts";
import { channelRoutes } from "./channel-routes.ts";
import { ApiFailure, notFound } from "./failure.ts";
import { callbackRoutes, followUpRoutes } from "./interaction-routes.ts";
import { threadRoutes } from "./thread-routes.ts";
import { executeRoutes, webhookRoutes } from "./webhook-routes.ts";
import type { World } from "./world.ts";

export interface Match {
  /** Such as `POST /channels/:channel/messages`. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly handler: Handler;
  /** False where the token in the path is all it takes. */
  readonly signedIn: boolean;
  /** Where its rate limit is counted. */
  readonly major: string;
  readonly status: number;
}

interface Entry {
  readonly route: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly handler: Handler;
  readonly signedIn: boolean;
}

const created = new Set([
  "POST /channels/:channel/messages/:message/threads",
  "POST /channels/:channel/threads",
  "POST /applications/:application/commands",
  "POST /applications/:application/guilds/:guild/commands",
]);

const entries: readonly Entry[] = [
  ...read({ ...applicationRoutes, ...channelRoutes, ...threadRoutes, ...webhookRoutes }, true),
  ...read({ ...callbackRoutes, ...executeRoutes }, false),
];

function read(routes: Readonly<Record<string, Handler>>, signedIn: boolean): Entry[] {
  return Object.entries(routes).map(([route, handler]) => {
    const [method = "", path = ""] = route.split(" ");
    return { route, method, segments: path.split("/").slice(1), handler, signedIn };
  });
}

/** The route of a call. Words win over parameters, so `/users/@me` is not the user `@me`. */
export function matchRoute(world: World, method: string, path: string): Match {
  const parts = path.split("/").slice(1).map(decodeURIComponent);
  const fitting = entries.filter(({ segments }) => fits(segments, parts));
  const found = fitting
    .filter((entry) => entry.method === method)
    .sort((a, b) => words(b.segments) - words(a.segments))[0];
  if (!found) throw fitting.length > 0 ? new ApiFailure(405, 0, "405: Method Not Allowed") : notFound();
  const params = Object.fromEntries(
    found.segments.flatMap((segment, at) => (segment.startsWith(":") ? [[segment.slice(1), parts[at] ?? ""]] : [])),
  );
  // Follow-ups of interactions have the addresses of a webhook with the application's id.
  const followUp = params.webhook === world.applicationId ? followUpRoutes[found.route] : undefined;
  return {
    route: found.route,
    params,
    handler: followUp ?? found.handler,
    signedIn: found.signedIn,
    major: params.channel ?? params.guild ?? params.webhook ?? "",
    status: created.has(found.route) ? 201 : 200,
  };
}

const fits = (segments: readonly string[], parts: readonly string[]) =>
  segments.length === parts.length &&
  segments.every((segment, at) => (segment.startsWith(":") ? parts[at] !== "" : segment === parts[at]));

const words = (segments: readonly string[]) => segments.filter((segment) => !segment.startsWith(":")).length;
