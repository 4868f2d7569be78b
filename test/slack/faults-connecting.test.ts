import { describe, expect, it } from "vitest";
import { createSlackAdapter } from "../../adapters/slack/index.ts";
import { ConnectionError } from "../../src/chat/index.ts";
import { createSlack, type Slack } from "../fakes/slack/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";
import { quick } from "./harness.ts";

describe("when connecting fails", () => {
  const connect = (slack: Slack, more: { botToken?: string; appToken?: string } = {}) =>
    createSlackAdapter(
      {
        botToken: slack.botToken,
        appToken: slack.appToken,
        apiUrl: slack.url.replace(/\/$/u, ""),
        timing: quick,
        ...more,
      },
      adapterDeps(),
    )
      .connect()
      .catch((error: unknown) => error);

  it("says who we are", async () => {
    await using slack = await createSlack();
    expect(await connect(slack)).toEqual({
      botId: `${slack.teamId}:${slack.botUserId}`,
      name: expect.any(String),
      link: `https://slack.com/app_redirect?app=${slack.appId}&team=${slack.teamId}`,
      notes: [],
    });
  });

  it("says what to do about each wrong token, without saying it", async () => {
    await using slack = await createSlack();
    const secret = "xoxb-not-ours-at-all";
    for (const [more, fix] of [
      [{ botToken: secret }, "xoxb-…"],
      [{ appToken: "xapp-not-ours-at-all" }, "connections:write"],
      [{ appToken: slack.botToken }, "xapp-"],
    ] as const) {
      const error = await connect(slack, more);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ kind: "invalid_token", message: expect.stringContaining(fix) });
      expect(String(error)).not.toContain(secret);
      expect(String(error)).not.toContain(slack.botToken);
    }
  });

  it("names the permission that the app token lacks", async () => {
    await using slack = await createSlack();
    slack.faults.reject("apps.connections.open", "missing_scope", { fields: { needed: "connections:write" } });
    expect(await connect(slack)).toMatchObject({
      kind: "invalid_token",
      message: expect.stringContaining("lacks the scope connections:write"),
    });
  });

  it.each(["account_inactive", "token_revoked", "token_expired"] as const)(
    "tells %s from a token that never was",
    async (code) => {
      await using slack = await createSlack();
      slack.faults.invalidAuth(code);
      expect(await connect(slack)).toMatchObject({
        kind: "invalid_token",
        message: expect.stringContaining("no longer accepts"),
      });
    },
  );

  it("says that Slack cannot be reached", async () => {
    await using slack = await createSlack();
    await slack.faults.refuseConnections();
    expect(await connect(slack)).toMatchObject({ kind: "unreachable" });
  });

  it("says what each missing permission costs", async () => {
    await using slack = await createSlack({ scopes: ["chat:write", "im:history", "users:read"] });
    const account = await connect(slack);
    expect(account).toMatchObject({
      notes: expect.arrayContaining([expect.stringMatching(/files:write is missing: I can't send files/u)]),
    });
    expect(JSON.stringify(account)).not.toContain("permission im:history is missing");
  });
});
