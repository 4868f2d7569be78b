import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startApp } from "../../src/app/index.ts";
import { loadConfig } from "../../src/config.ts";
import { configuredConnections } from "../../src/connections.ts";
import { silentLog } from "../../src/shared/index.ts";
import { fakeModelName, say, startFakeModel, writeFakeCatalog } from "../fakes/model/index.ts";
import { createSlack } from "../fakes/slack/index.ts";
import { createTestDatabase } from "../support/database.ts";
import { ownerCode } from "../support/machine.ts";
import { actingInSlack, slackSettings } from "../support/slack-world.ts";

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));

/** A clock that runs as the system's does, from wherever it was set to. */
function settableClock() {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    setTo(moment: string) {
      ahead = Date.parse(moment) - Date.now();
    },
  };
}

/** The whole of Shipmate in this process, for the sake of its clock; Slack and the model are stand-ins, Codex is the real one. */
async function openOffice(made: AsyncDisposableStack) {
  await mkdir(scratch, { recursive: true });
  const home = await mkdtemp(`${scratch}home-`);
  made.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const database = made.use(await createTestDatabase());
  const slack = await createSlack();
  made.defer(() => slack.close());
  const model = made.use(await startFakeModel());
  const clock = settableClock();
  const settings = {
    SHIPMATE_HOME: home,
    DATABASE_URL: database.url,
    ...slackSettings(slack),
    SHIPMATE_OWNER_CODE: ownerCode,
    OPENAI_API_KEY: "offline-model-key",
    OPENAI_BASE_URL: model.url,
    SHIPMATE_MODEL: fakeModelName,
    PORT: "0",
  };
  const config = loadConfig(settings, home);
  const app = await startApp({
    config,
    version: "0.0.0",
    connections: configuredConnections(config, silentLog),
    log: silentLog,
    say: () => {},
    codex: { modelCatalog: writeFakeCatalog(home) },
    clock,
  });
  made.defer(async () => void (await app.stop(0)));
  return { ...actingInSlack(slack), model, clock };
}

test("F-53 a report at 08:30 in Lisbon comes at 08:30 there on both days on which the clocks change", {
  timeout: 180_000,
}, async () => {
  await using made = new AsyncDisposableStack();
  const { slack, model, clock, claim, openChannel } = await openOffice(made);
  const { ada, general } = slack;
  const alone = slack.dm(ada);
  await claim();
  await openChannel();
  slack.command(ada, alone, "/shipmate", "zone lisbon");
  await slack.waitForMessage(alone, (message) => message.text.includes("Europe/Lisbon"));
  slack.command(ada, alone, "/shipmate", "routine new every day at 8:30 post the open incidents to #general");
  const card = await slack.waitForMessage(alone, (message) => message.text.includes("08:30 (Lisbon)"));
  slack.press(ada, card, "Create");
  await slack.waitForMessage(alone, (message) => message.text.includes("Created"));

  const reports = () => slack.fromBot(general).filter((message) => message.text.includes("Open incidents:"));
  /** The machine wakes at a moment; what is due then is reported. */
  async function reportedAt(moment: string, report: string) {
    model.enqueue([say(`Open incidents: ${report}`)]);
    clock.setTo(moment);
    return slack.waitForMessage(general, (message) => message.text.includes(report), 60_000);
  }

  for (const { dayBefore, due, name } of [
    { dayBefore: "2027-03-27T12:00:00Z", due: "2027-03-28T07:30:00Z", name: "spring" },
    { dayBefore: "2027-10-30T12:00:00Z", due: "2027-10-31T08:30:00Z", name: "autumn" },
  ]) {
    // Nobody was there for months: one run stands for all of them, and says that it is late.
    expect((await reportedAt(dayBefore, `before ${name}`)).text).toContain("late: due");
    const justBefore = new Date(Date.parse(due) - 1_000).toISOString();
    expect((await reportedAt(justBefore, `in ${name}`)).text).not.toContain("late");
    const late = clock.now().getTime() - Date.parse(due);
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(60_000);
  }
  expect(reports()).toHaveLength(4);
});
