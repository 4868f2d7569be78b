import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type AccountWatch,
  createAccountWatch,
  createSignIns,
  endLateSignIns,
  type SignIns,
} from "../../src/access/index.ts";
import { type CodexConnection, createConnection, webSocketTransport } from "../../src/codex/index.ts";
import { showSignIn } from "../../src/inbox/index.ts";
import { newId, silentLog } from "../../src/shared/index.ts";
import type { QueueWorker, Unit } from "../../src/storage/index.ts";
import { type FakeAppServer, startFakeAppServer } from "../fakes/app-server/index.ts";
import { ada, command, group, message, person, press } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(async (each) => {
  await each.db.deleteFrom("accounts").execute();
  await claimed(each);
});
const card = lastCard(office);
const ben = person("ben", "Ben");

/** Who may be signed in: a stand-in for Codex, since the real one asks a service on the internet. */
let codex: FakeAppServer;
let connection: CodexConnection;
let watch: AccountWatch;
let signIns: SignIns;
let another: SignIns;
let worker: QueueWorker;

const show = (unit: Unit, signIn: Parameters<typeof showSignIn>[2]) => showSignIn(office.deps.outbox, unit, signIn);

beforeAll(async () => {
  codex = await startFakeAppServer();
  const open = webSocketTransport(async () => ({ url: codex.url, token: undefined }));
  connection = createConnection({ open, version: "0.1.0", log: silentLog, reconnectMs: 20 });
  await connection.ready();
  const { db, clock, deps } = office;
  const settings = { endpoint: undefined, apiKey: undefined, remote: false, model: undefined };
  const common = { db, log: silentLog, clock, connection };
  watch = createAccountWatch({ ...common, settings });
  const onUsable = async (unit: Unit) => void (await deps.mailbox.endLimit(unit));
  signIns = createSignIns({ ...common, show, onUsable, look: watch.look });
  another = createSignIns({ ...common, show, onUsable, look: watch.look });
  await watch.start();
  await signIns.start();
  worker = await office.storage.queues.work("control", async (job) => {
    if (job.kind === "sign_in") await signIns.take(job.signInId);
  });
});

beforeEach(async () => {
  codex.account.plan = undefined;
  codex.account.loginId = undefined;
  codex.account.refusal = undefined;
  await watch.look();
});

afterAll(async () => {
  await worker.close();
  signIns.stop();
  await watch.stop();
  await connection.close();
  await codex.close();
});

async function shows(text: string): Promise<void> {
  await vi.waitFor(async () => expect((await office.texts()).at(-1)).toContain(text), 10_000);
}

async function login(by = ada): Promise<string> {
  await office.sink(command(by, "login"));
  return (await office.texts()).at(-1) ?? "";
}

async function beginSignIn(): Promise<void> {
  await login();
  await card.pressed("Sign in with a plan");
  await shows("WXYZ-1234");
}

describe("/login", () => {
  it("says that nobody pays, and how somebody can", async () => {
    const text = await login();
    expect(text).toContain("Nobody pays yet");
    expect(await card.labels()).toEqual(["Sign in with a plan", "Set an API key"]);
  });

  it("is for the owner and admins, in a direct message", async () => {
    await office.hire(ben, "manager");
    expect(await login(ben)).toContain("Only the owner and admins");
    await office.open(group, "members");
    office.can({ privatePosts: true });
    await office.sink(command(ada, "login", "", { place: group, interaction: { id: newId() } }));
    expect((await office.texts()).at(-1)).toContain("direct message");
  });
});

describe("signing in with a plan", () => {
  it("shows a code and the page for it, and greets when it was used", async () => {
    await beginSignIn();
    const [shown] = (await office.db.selectFrom("posts").select("body").orderBy("seq", "desc").limit(1).execute()).map(
      ({ body }) => body as { links?: unknown },
    );
    expect(shown?.links).toEqual([{ label: "Open the sign-in page", url: "https://auth.example.com/device" }]);
    expect(await card.labels()).toEqual(["Cancel"]);
    codex.completeLogin({ plan: "plus" });
    await shows("You are signed in (plus)");
    expect(await office.texts()).toContain("Signed in.");
    expect(await login()).toContain("Now: the plan pays.");
    expect(await card.labels()).toEqual(["Sign out", "Set an API key"]);
  });

  it("goes on with what waited for the plan", async () => {
    codex.account.plan = "plus";
    await watch.look();
    await office.db.updateTable("accounts").set({ state: "invalid", state_at: office.clock.now() }).execute();
    await office.sink(message(ada, "Are you there?"));
    const later = new Date(office.clock.now().getTime() + 3_600_000);
    await office.db.updateTable("deliveries").set({ hold_reason: "usage-limit", ready_at: later }).execute();
    expect(await login()).toContain("no longer accepted");
    await card.pressed("Sign in with a plan");
    await shows("WXYZ-1234");
    codex.completeLogin({ plan: "pro" });
    await shows("You are signed in (pro)");
    const [delivery] = await office.deliveries();
    expect(delivery?.readyAt.getTime()).toBeLessThanOrEqual(office.clock.now().getTime());
  });

  it("is one at a time, and can be cancelled for good", async () => {
    await beginSignIn();
    const cancel = await card.token("Cancel");
    await login();
    expect(await card.pressed("Sign in with a plan")).toContain("under way already");
    await office.sink(press(ada, cancel));
    await shows("Sign-in cancelled.");
    await vi.waitFor(() => expect(codex.account.loginId).toBeUndefined(), 5_000);
    await login();
    await card.pressed("Sign in with a plan");
    await shows("WXYZ-1234");
  });

  it("says so when the service cannot be reached", async () => {
    codex.account.refusal = "failed to request device code: error sending request";
    await login();
    await card.pressed("Sign in with a plan");
    await shows("cannot be reached from Codex's machine");
  });

  it("says so when the sign-in came to nothing", async () => {
    await beginSignIn();
    codex.completeLogin({ error: "Login failed" });
    await shows("was not completed");
    expect(await login()).toContain("not signed in");
  });

  it("ends a code that nobody used", async () => {
    await beginSignIn();
    office.clock.pass(17 * 60_000);
    await office.unit((unit) => endLateSignIns(unit, { clock: office.clock, show }));
    await shows("ran out before it was used");
  });

  it("ends what an earlier process left", async () => {
    await beginSignIn();
    await another.start();
    another.stop();
    await shows("Codex restarted");
  });

  it("notices a code that was used while the line was down", async () => {
    await beginSignIn();
    codex.account.plan = "plus";
    codex.drop();
    await shows("You are signed in (plus)");
  });
});

describe("a key that is written into a message", () => {
  const key = "sk-proj-0123456789abcdefghij";

  it("is neither kept nor passed on, and its writer is told what to do", async () => {
    await office.sink(message(ada, key));
    expect((await office.texts()).at(-1)).toContain("I did not keep it");
    expect(await office.deliveries()).toEqual([]);
    await office.sink(message(ada, `Use ${key} for the build, please.`));
    expect((await office.messages()).map(({ text }) => text)).toEqual(["Use [secret] for the build, please."]);
  });
});

describe("signed in", () => {
  it("can be signed out again", async () => {
    codex.account.plan = "plus";
    await watch.look();
    await login();
    await card.pressed("Sign out");
    await shows("Signed out.");
    expect(await login()).toContain("Nobody pays yet");
  });

  it("leaves tokens to Codex: asked for fresh ones, it is refused", async () => {
    const id = codex.ask("account/chatgptAuthTokens/refresh", { reason: "unauthorized", previousAccountId: null });
    await vi.waitFor(() => {
      const reply = codex.replies.find((each) => each.id === id);
      expect(reply?.error).toMatchObject({ code: -32601 });
    }, 5_000);
  });
});
