import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ModelRequest } from "../fakes/model/index.ts";
import { addFile, call, say, shell } from "../fakes/model/index.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createClaimedWorld();
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const workspace = (...path: string[]) => join(world.home, "workspaces", "milo", ...path);
const pictures = (request: ModelRequest | undefined) =>
  JSON.stringify(request?.body).split('"type":"input_image"').length - 1;
const answer = (text: string) =>
  world.telegram.waitForMessage(world.telegram.ada, (message) => message.text.includes(text));

describe("files that people send", () => {
  it("a photo with a caption is seen by the model together with the words", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([say("It is red.")]);
    telegram.sendPhoto(ada, ada, { bytes: png, caption: "which colour is this?" });
    await answer("It is red.");
    expect(model.requests[0]?.lastUserText).toContain("which colour is this?");
    expect(pictures(model.requests[0])).toBe(1);
  });

  it("an album is one turn with all of its pictures", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    telegram.say(ada, ada, "/new");
    await answer("A fresh conversation");
    model.enqueue([say("Three pictures.")], [say("Once too often.")]);
    const file = { bytes: png };
    telegram.sendPhotoAlbum(ada, ada, [{ ...file, caption: "all of these" }, file, file]);
    await answer("Three pictures.");
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.lastUserText).toContain("all of these");
    expect(pictures(model.requests[0])).toBe(3);
  });

  it("a document lies in the workspace, wherever its name points", async () => {
    const { telegram, model, home } = world;
    const { ada } = telegram;
    model.enqueue([shell("cat uploads/*evil*")], [say("I read it.")]);
    telegram.sendDocument(ada, ada, {
      name: "../../evil.txt",
      bytes: Buffer.from("the secret ingredient is salt"),
      caption: "read this",
    });
    await answer("I read it.");
    expect(model.requests[1]?.lastOutput).toContain("the secret ingredient is salt");
    const uploads = await readdir(workspace("uploads"));
    expect(uploads.filter((name) => name.includes("evil"))).toHaveLength(1);
    expect([...(await readdir(home)), ...(await readdir(workspace()))].filter((name) => /evil/.test(name))).toEqual([]);
  });

  it("a voice note arrives as a file, also without any words", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([say("I have the recording.")]);
    telegram.sendVoice(ada, ada, { bytes: Buffer.from("OggS...") });
    await answer("I have the recording.");
    expect(model.requests[0]?.lastUserText).toMatch(/voice|audio/);
    expect(model.requests[0]?.lastUserText).toContain("uploads/");
  });

  it("shows that work began while a file is still on its way", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const drafts = telegram.chat(ada).drafts.length;
    const release = telegram.faults.hold("getFile");
    model.enqueue([say("It came late.")]);
    const sent = telegram.sendDocument(ada, ada, { name: "slow.txt", bytes: Buffer.from("x"), caption: "take it" });
    const sign = () => telegram.chat(ada).messages.find((each) => each.id === sent.id)?.reactions[0] === "👀";
    await telegram.waitFor(() => sign() && telegram.chat(ada).drafts.length > drafts);
    expect(telegram.chat(ada).draft).toMatchObject({ canStop: true, text: expect.stringMatching(/^Milo · working/) });
    release();
    await answer("It came late.");
  });

  it("one that is too large is named to the person and to the model, and the words are answered", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([say("Without the film, then.")]);
    telegram.sendDocument(ada, ada, { name: "film.mp4", size: 60 * 1024 * 1024, caption: "cut this film" });
    await answer("Without the film, then.");
    expect(model.requests[0]?.lastUserText).toContain("cut this film");
    expect(model.requests[0]?.lastUserText).toContain("60 MB");
    const told = await answer("That file is 60 MB; Telegram lets me take 20. I read your text.");
    expect(told.silent).toBe(true);
    expect(told.id).toBeLessThan((await answer("Without the film, then.")).id);
  });
});

describe("files that the teammate sends", () => {
  it("arrive beneath the answer, in their order: a document as a document, a picture as a photo", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue(
      [
        addFile("report.md", ["# The report"]),
        shell(`printf '%s' '${png.toString("base64")}' | base64 -d > chart.png`),
      ],
      [
        call("shipmate", "attach_files_to_response", { files: [{ path: "report.md", caption: "The whole report" }] }),
        call("shipmate", "attach_files_to_response", { files: [{ path: "chart.png" }] }),
      ],
      [say("Here are both.")],
    );
    telegram.say(ada, ada, "report please");
    const text = await answer("Here are both.");
    await telegram.waitFor(
      () => telegram.chat(ada).fromBot.filter((message) => message.file && message.id > text.id).length === 2,
    );

    const [report, chart] = telegram.chat(ada).fromBot.filter((message) => message.file && message.id > text.id);
    expect(report).toMatchObject({ text: "The whole report", file: { name: "report.md", kind: "document" } });
    expect(report?.file?.bytes.toString()).toBe("# The report\n");
    expect(chart).toMatchObject({ file: { kind: "photo" } });
    expect(chart?.file?.bytes.equals(png)).toBe(true);
  });

  it("never come from outside the workspace", async () => {
    const { telegram, model, home } = world;
    const { ada } = telegram;
    await writeFile(join(home, "insides.txt"), "private");
    model.enqueue(
      [call("shipmate", "attach_files_to_response", { files: [{ path: join(home, "insides.txt") }] })],
      [say("I may not.")],
    );
    telegram.say(ada, ada, "send me your insides");
    await answer("I may not.");
    expect(model.requests[1]?.lastOutput).toContain("outside your workspace");
    expect(await readFile(workspace("AGENTS.md"), "utf8")).not.toBe("");
    expect(telegram.chat(ada).fromBot.filter((message) => message.file?.name === "insides.txt")).toEqual([]);
  });
});
