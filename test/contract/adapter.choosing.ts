import { expect, test } from "vitest";
import type { Post } from "../../src/chat/index.ts";
import type { AdapterHarness } from "./adapter.harness.ts";
import { approve, everyTest, given, idIn, says, testsWhere, until } from "./adapter.stage.ts";

/** Lists, forms, and what only one person sees. */
export function choosing(harness: AdapterHarness): void {
  const scene = everyTest(harness);
  const testWhere = testsWhere(harness);

  test("a list offers what can be chosen, and a choice comes back with the token of its option", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    const id = idIn(await scene.send(says("Who answers here?", { selects: [teammates], buttons: [[approve]] })));
    const shown = (await stage.shown()).at(-1);
    for (const label of ["Milo", "Penny"]) {
      const offered = [...(shown?.options ?? []), ...(shown?.buttons ?? [])];
      expect(offered.filter((one) => one.includes(label))).toHaveLength(1);
    }
    expect(shown?.buttons).toContain("Approve");
    await stage.choose("Penny");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "button", token: "tok_penny", messageId: id, author: { id: stage.ada } });
  });

  testWhere("edit")("a list of twenty-five can be changed and taken away", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    const options = Array.from({ length: 25 }, (_, index) => ({
      label: `Day ${index + 1}.`,
      token: `day-${index + 1}`,
    }));
    const id = idIn(await scene.send(says("Which day?", { selects: [{ label: "Day", options }] })));
    await stage.choose("Day 25.");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "button", token: "day-25" });
    expect(await stage.adapter.edit?.(stage.place, id, says("Which day?\n\nThe 25th."))).toMatchObject({
      outcome: "delivered",
    });
    const shown = (await stage.shown()).find((message) => message.id === id);
    expect([...(shown?.options ?? []), ...(shown?.buttons ?? [])]).toEqual([]);
  });

  testWhere("forms")("a button opens its form, and what was written comes back with its token", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    const asked: string[][] = [];
    scene.form = (...question) => {
      asked.push(question);
      return { title: "Change the rule", label: "What is allowed", value: "npm test", long: false, required: true };
    };
    const id = idIn(await scene.send(says("A rule of yours", { buttons: [[change]] })));
    await stage.press("Change");
    await until(async () => {
      expect(await stage.form?.()).toEqual({ title: "Change the rule", label: "What is allowed", value: "npm test" });
    });
    expect(asked).toEqual([[change.token, stage.ada]]);
    expect(events).toEqual([]);
    await stage.submit?.("npm run check");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "form", token: change.token, value: "npm run check", messageId: id });
    expect(events[0]).toMatchObject({ author: { id: stage.ada }, place: { channel: stage.place.channel } });
    expect(await stage.form?.()).toBeUndefined();
    if (events[0]?.kind !== "form") return;
    await stage.adapter.answer?.(events[0].interaction, "This rule is gone.");
    await until(async () => expect((await stage.answers()).at(-1)).toContain("This rule is gone."));
  });

  test("a button whose form is of no use any more is an ordinary button", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    await scene.send(says("A rule of yours", { buttons: [[change]] }));
    await stage.press("Change");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "button", token: change.token });
    expect(await stage.form?.()).toBeUndefined();
  });

  testWhere("privatePosts", "shared")("what answers a command for one person is seen by that person only", async () => {
    const { stage } = scene;
    const shared = given(stage.shared);
    const events = await scene.listen();
    await shared.command("team", "");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "command", name: "team", author: { id: stage.ada } });
    const [command] = events;
    if (command?.kind !== "command") return;
    const onlyFor: Post["onlyFor"] = { userId: stage.ada, interaction: command.interaction };
    for (const text of ["Here are Milo and Penny.", "And that is all."]) {
      const receipt = await scene.send(says(text, { onlyFor, buttons: [[approve]] }), command.place);
      expect(receipt).toMatchObject({ outcome: "delivered" });
    }
    const texts = (await given(stage.privately)(stage.ada)).map((message) => message.text);
    expect(texts).toEqual([
      expect.stringContaining("Here are Milo and Penny."),
      expect.stringContaining("And that is all."),
    ]);
    expect(await given(stage.privately)(shared.ben)).toEqual([]);
    expect(await shared.shown()).toEqual([]);
    await stage.press("Approve");
    await until(() => expect(events).toHaveLength(2));
    expect(events[1]).toMatchObject({ kind: "button", token: approve.token, private: true });
  });

  testWhere("privatePosts", "shared")("a command that nothing private follows leaves nothing behind", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    await given(stage.shared).command("team", "");
    await until(() => expect(events).toHaveLength(1));
    const [command] = events;
    if (command?.kind !== "command" || command.interaction === undefined) throw new Error("no interaction");
    await stage.adapter.answer?.(command.interaction);
    await until(async () => expect(await given(stage.privately)(stage.ada)).toEqual([]));
    expect(await stage.shared?.shown()).toEqual([]);
  });

  testWhere("home")("a person's own page shows what we put on it, and its buttons work", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    await stage.openHome?.();
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "home", shows: "page", author: { id: stage.ada } });
    const page = [says("# Your teammates"), says("Two things **wait** for you.", { buttons: [[approve]] })];
    expect(await stage.adapter.home?.(stage.ada, page)).toMatchObject({ outcome: "delivered" });
    const shown = await stage.homePage?.();
    expect(shown).toMatch(/Your teammates[\s\S]*wait[\s\S]*for you/u);
    expect(shown).toContain("Approve");
  });

  testWhere("suggestions")("an empty conversation offers what could be said", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    await stage.openConversation?.();
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "home", shows: "conversation", author: { id: stage.ada } });
    const offered = [
      { title: "What is new?", text: "Tell me what happened since yesterday" },
      { title: "What can you do?", text: "What can you do for me?" },
    ];
    const { place = stage.place } = events[0] ?? {};
    expect(await stage.adapter.suggest?.(place, offered)).toMatchObject({ outcome: "delivered" });
    expect(await stage.suggestions?.()).toEqual(["What is new?", "What can you do?"]);
  });
}

const change = { label: "Change", token: "tok_change_4h7q", opensForm: true } as const;

const teammates = {
  label: "Who answers",
  options: [
    { label: "Milo", token: "tok_milo", description: "Software", current: true },
    { label: "Penny", token: "tok_penny" },
  ],
};
