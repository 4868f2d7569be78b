import { expect, test } from "vitest";
import { allows, roles } from "../../src/people/index.ts";
import {
  connectionState,
  ensureConnection,
  ensureConversation,
  listConnections,
  setConnectionState,
} from "../../src/places/index.ts";
import { ada, dm, group, ownerCode, person, stranger } from "../inbox/office.ts";
import { useOffice } from "../inbox/scene.ts";

const office = await useOffice();

test("a role allows what stands at its own rank or below", () => {
  for (const [rank, role] of roles.entries()) {
    for (const [minimumRank, minimum] of roles.entries()) expect(allows(role, minimum)).toBe(rank <= minimumRank);
  }
});

test("somebody met twice is one identity, under their latest name", async () => {
  const { people } = office.deps;
  const first = await office.unit((unit) => people.meet(unit, office.connectionId, stranger));
  const renamed = { ...stranger, name: "New Name" };
  const second = await office.unit((unit) => people.meet(unit, office.connectionId, renamed));
  expect(second).toMatchObject({ id: first.id, displayName: "New Name", person: null });
});

test("somebody met on many ways at once is one identity", async () => {
  const { people } = office.deps;
  const met = await Promise.all(
    Array.from({ length: 6 }, () => office.unit((unit) => people.meet(unit, office.connectionId, stranger))),
  );
  expect(new Set(met.map((identity) => identity.id)).size).toBe(1);
});

test("a person is reached in the direct message they wrote from, and not before they wrote", async () => {
  const { people } = office.deps;
  const hired = await office.hire(ada, "member");
  expect(await people.dmOf(office.db, hired.id)).toEqual({
    connectionId: office.connectionId,
    address: { channel: dm(ada).channel },
    placeKind: "dm",
  });
  await office.db.updateTable("identities").set({ dm_channel: null }).execute();
  expect(await people.dmOf(office.db, hired.id)).toBeNull();
});

test("a person with several accounts is reached on the connection asked for", async () => {
  const { people } = office.deps;
  const hired = await office.hire(ada, "member");
  const other = await office.unit((unit) => ensureConnection(unit, { platform: "other", botId: "b", name: "B" }));
  const identity = await office.unit((unit) => people.meet(unit, other.id, person("ada-2", "Ada"), "dm-2"));
  await office.db.updateTable("identities").set({ person_id: hired.id }).where("id", "=", identity.id).execute();
  expect((await people.dmOf(office.db, hired.id, office.connectionId))?.address.channel).toBe(dm(ada).channel);
  expect((await people.dmOf(office.db, hired.id, other.id))?.address.channel).toBe("dm-2");
});

test("a new owner code ends the one before it", async () => {
  const { people } = office.deps;
  await office.unit((unit) => people.issueOwnerCode(unit, "NEWC-2345"));
  const result = await office.unit(async (unit) => {
    const identity = await people.meet(unit, office.connectionId, ada);
    return [await people.redeem(unit, identity, ownerCode), await people.redeem(unit, identity, "newc2345", "pt")];
  });
  expect(result).toMatchObject([{ outcome: "wrong" }, { outcome: "claimed", person: { role: "owner", locale: "pt" } }]);
});

test("the same owner code issued at each start stays valid", async () => {
  const { people } = office.deps;
  await office.unit((unit) => people.issueOwnerCode(unit, ownerCode));
  await office.claim();
  expect(await people.hasOwner(office.db)).toBe(true);
});

test("once there is an owner no owner code is issued any more", async () => {
  const { people } = office.deps;
  await office.claim();
  await office.unit((unit) => people.issueOwnerCode(unit, "NEWC-2345"));
  const open = await office.db.selectFrom("claim_codes").select("purpose").where("used_at", "is", null).execute();
  expect(open).toEqual([]);
});

test("a code of somebody who is a person already stays unused", async () => {
  const { people } = office.deps;
  const owner = await office.hire(ada, "owner");
  const result = await office.unit(async (unit) => {
    const { code } = await people.issueInvite(unit, owner, "member");
    const identity = await people.meet(unit, office.connectionId, ada);
    const other = await people.meet(unit, office.connectionId, stranger);
    return [await people.redeem(unit, identity, code), await people.redeem(unit, other, code)];
  });
  expect(result.map((each) => each.outcome)).toEqual(["member", "joined"]);
});

test("a fresh install has one teammate, however many processes ask", async () => {
  await office.db.deleteFrom("teammates").execute();
  const made = await Promise.all(
    Array.from({ length: 5 }, () => office.unit((unit) => office.deps.teammates.ensureDefault(unit))),
  );
  expect(new Set(made.map((teammate) => teammate.id)).size).toBe(1);
  expect(made[0]).toMatchObject({
    name: "Milo",
    autonomy: "ask_consequential",
    access: "workspace",
    busyMode: "steer",
  });
});

test("a teammate is found by handle and by name, in any case", async () => {
  const { teammates } = office.deps;
  expect((await teammates.byHandle(office.db, "MILO"))?.handle).toBe("milo");
  await office.db.updateTable("teammates").set({ name: "Helper" }).execute();
  expect((await teammates.byHandle(office.db, "helper"))?.handle).toBe("milo");
});

test("a new group is closed and a new direct message is for people we know", async () => {
  const { places } = office.deps;
  const made = await office.unit(async (unit) => [
    await places.ensure(unit, office.connectionId, group),
    await places.ensure(unit, office.connectionId, dm(ada)),
  ]);
  expect(made.map((place) => place.access)).toEqual(["closed", "members"]);
});

test("a place renamed on its platform is renamed here, and keeps its access", async () => {
  const { places } = office.deps;
  await office.open(group, "everyone");
  const renamed = await office.unit((unit) =>
    places.ensure(unit, office.connectionId, { ...group, title: "Operations" }),
  );
  expect(renamed).toMatchObject({ title: "Operations", access: "everyone" });
});

test("a place that was known under its new id already takes over what was decided for the old one", async () => {
  const { places } = office.deps;
  await office.open(group, "members");
  const [old, early] = await office.unit(async (unit) => [
    await places.ensure(unit, office.connectionId, group),
    await places.ensure(unit, office.connectionId, { ...group, channel: "new-id" }),
  ]);
  await office.unit((unit) => places.move(unit, old?.id ?? "", "new-id"));
  expect((await places.get(office.db, early?.id ?? ""))?.access).toBe("members");
  expect((await places.get(office.db, old?.id ?? ""))?.archivedAt).not.toBeNull();
});

test("a bot with a new token is the same connection, and says how it is", async () => {
  const again = await office.unit((unit) =>
    ensureConnection(unit, { platform: "stand-in", botId: "bot", name: "Renamed" }),
  );
  expect(again.id).toBe(office.connectionId);
  await setConnectionState(office.db, again.id, "rate_limited", "Telegram asks us to wait.");
  expect(await listConnections(office.db)).toMatchObject([
    { name: "Renamed", state: "rate_limited", stateDetail: "Telegram asks us to wait." },
  ]);
});

test("F-04 what an adapter keeps belongs to its bot", async () => {
  const other = await office.unit((unit) => ensureConnection(unit, { platform: "stand-in", botId: "b2", name: "B" }));
  const state = connectionState(office.db, office.connectionId);
  await state.save("offset", "1");
  await state.save("offset", "2");
  expect(await state.load("offset")).toBe("2");
  expect(await connectionState(office.db, other.id).load("offset")).toBeUndefined();
});

test("a conversation opened on many ways at once is one", async () => {
  const { places, teammates } = office.deps;
  const { placeId, teammateId } = await office.unit(async (unit) => ({
    placeId: (await places.ensure(unit, office.connectionId, group)).id,
    teammateId: (await teammates.ensureDefault(unit)).id,
  }));
  const wanted = { placeId, teammateId, thread: "", kind: "channel" } as const;
  const opened = await Promise.all(
    Array.from({ length: 6 }, () => office.unit((unit) => ensureConversation(unit, wanted))),
  );
  expect(new Set(opened.map((conversation) => conversation.id)).size).toBe(1);
});
