import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { StartError } from "../shared/index.ts";
import { type CalendarRoutesDeps, calendarRoutes } from "./calendar.ts";
import { type FormDesk, formRoutes } from "./forms.ts";
import { type HookRoutesDeps, hookRoutes } from "./hooks.ts";

/** A role and whether it can do its work now; `detail` says what is missing. */
export interface Readiness {
  readonly role: string;
  readonly ready: boolean;
  readonly detail?: string | undefined;
}

export interface HttpServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface HttpDeps extends HookRoutesDeps, CalendarRoutesDeps {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly readiness: () => Promise<readonly Readiness[]>;
  readonly forms: FormDesk;
}

/** Starts to listen. Rejects with a sentence that says what to do when the port is taken. */
export async function startHttp(deps: HttpDeps): Promise<HttpServer> {
  const server = createAdaptorServer({ fetch: routes(deps).fetch });
  server.listen(deps.port, deps.host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new StartError(listenProblem(error, deps), { cause: error });
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function routes(deps: HttpDeps): Hono {
  const app = new Hono();
  app.get("/healthz", (context) => context.text("ok"));
  app.get("/readyz", async (context) => {
    const roles = await deps.readiness();
    return context.json({ roles }, roles.every((role) => role.ready) ? 200 : 503);
  });
  app.route("/f", formRoutes(deps));
  app.route("/hooks", hookRoutes(deps));
  app.route("/calendar", calendarRoutes(deps));
  return app;
}

function listenProblem(error: unknown, { host, port }: HttpDeps): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} is in use. Stop what listens there, or set PORT to another number.`;
  if (code === "EACCES") return `Port ${port} needs more rights than this user has. Set PORT to a number above 1023.`;
  return `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}
