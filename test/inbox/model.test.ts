import { beforeEach, describe, expect, it } from "vitest";
import { type ListedModel, readBackups, saveLeft } from "../../src/access/index.ts";
import { replaceModels } from "../../src/access/models.store.ts";
import { ada, command, person, press } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const card = lastCard(office);
const ben = person("ben", "Ben");

const listed = (id: string, isDefault = false): ListedModel => ({
  id,
  name: id.toUpperCase(),
  description: "",
  efforts: ["low", "high"],
  defaultEffort: "low",
  isDefault,
});

beforeEach(async () => {
  await replaceModels(office.db, [listed("sol", true), listed("luna"), listed("nova")], office.clock.now());
  await office.db.deleteFrom("accounts").execute();
  await account("plan", {});
});

async function account(
  kind: "plan" | "api_key",
  more: { readonly source?: "environment" | "endpoint" },
): Promise<void> {
  await office.db
    .insertInto("accounts")
    .values({ kind, state: "ready", ...more })
    .execute();
}

async function milo(): Promise<{ id: string; model: string | null; effort: string | null }> {
  return office.db.selectFrom("teammates").select(["id", "model", "effort"]).executeTakeFirstOrThrow();
}

async function model(by = ada): Promise<string> {
  await office.sink(command(by, "model"));
  return (await card.latest()).text;
}

const options = async (label: string) =>
  (await card.latest()).selects.find((each) => each.label === label)?.options.map((each) => each.label);

describe("/model", () => {
  it("tells everybody which model answers, why, and who pays", async () => {
    await office.hire(ben, "member");
    const text = await model(ben);
    expect(text).toContain("**Answers with:** sol, the usual one");
    expect(text).toContain("**Effort:** low");
    expect(text).toContain("**Paid by:** the plan");
    expect((await card.latest()).selects).toEqual([]);
  });

  it("lets managers choose the model and its effort", async () => {
    await model();
    await card.pressed("Model");
    expect(await options("Model")).toEqual(["Usual (SOL)", "SOL", "LUNA", "NOVA"]);
    await card.pressed("LUNA");
    expect(await milo()).toMatchObject({ model: "luna" });
    expect((await card.latest()).text).toContain("luna, its own");
    await card.pressed("Effort");
    expect(await options("Effort")).toEqual(["Usual", "low", "high"]);
    await card.pressed("high");
    expect(await milo()).toMatchObject({ effort: "high" });
    await card.pressed("Model");
    await card.pressed("Usual (SOL)");
    expect(await milo()).toMatchObject({ model: null });
  });

  it("keeps backups in order, and takes them out again", async () => {
    await model();
    await card.pressed("Backups");
    expect(await options("Add a backup")).toEqual(["Backup: LUNA", "Backup: NOVA"]);
    await card.pressed("Backup: NOVA");
    await card.pressed("Backup: LUNA");
    expect((await card.latest()).text).toContain("**Backups:** nova, then luna");
    await card.pressed("Remove nova");
    const { id } = await milo();
    expect((await readBackups(office.db, id)).list.map((each) => each.model)).toEqual(["luna"]);
  });

  it("shows a backup that is in use, until when, and leads back", async () => {
    const { id } = await milo();
    await saveLeft(office.db, id, {
      from: null,
      to: { model: "nova" },
      cause: "overloaded",
      until: null,
      told: true,
    });
    expect(await model()).toContain("nova, a backup for the usual model since it had too much to do; it stays so");
    await card.pressed("Back to its own model");
    expect((await card.latest()).text).toContain("sol, the usual one");
  });

  it("lets only admins put a backup on the key, which spends money where the plan would not", async () => {
    await account("api_key", { source: "environment" });
    await office.hire(ben, "manager");
    await model(ben);
    await card.pressed("Backups", ben);
    const token = await card.token("Backup: SOL, paid by the API key");
    await office.sink(press(ben, token));
    const { id } = await milo();
    expect((await readBackups(office.db, id)).list).toEqual([]);
    await office.sink(press(ada, token));
    expect((await readBackups(office.db, id)).list).toEqual([{ model: "sol", payer: "api_key" }]);
  });

  it("names an endpoint of the owner's own as the one who pays", async () => {
    await account("api_key", { source: "endpoint" });
    expect(await model()).toContain("the endpoint in OPENAI_BASE_URL");
    await office.sink(command(ada, "login"));
    expect((await card.latest()).text).toContain("OPENAI_BASE_URL");
    expect(await card.labels()).toEqual([]);
  });
});
