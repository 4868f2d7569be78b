import { describe, expect, test } from "vitest";
import { developerInstructions, threadInstructions } from "../../src/runs/instructions.ts";

const levels = ["ask_all", "ask_consequential", "autonomous"] as const;

describe("the developer instructions", () => {
  test("are one text for everybody, but for what needs approval", () => {
    const [all, consequential, alone] = levels.map((each) => developerInstructions(each).split("\n\n"));
    const differ = (one: string[] = [], other: string[] = []) => one.filter((part, index) => part !== other[index]);
    expect(all).toHaveLength(consequential?.length ?? 0);
    expect(differ(all, consequential)).toHaveLength(1);
    expect(differ(alone, consequential)).toHaveLength(1);
  });

  test.each(levels)("say how to work, in few words (%s)", (level) => {
    const text = developerInstructions(level);
    for (const part of ["request_approval", "attach_files_to_response", "ask_user", "manage_skill", "passwords"]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("send_file");
    expect(text.length).toBeLessThan(7_000);
  });

  test("a thread's hash changes with the level and with what lasts of AGENTS.md, and only then", () => {
    const hash = (level: (typeof levels)[number], lasting: string) => threadInstructions(level, lasting).hash;
    expect(hash("ask_all", "Be kind.")).toBe(hash("ask_all", "Be kind."));
    const hashes = [hash("ask_all", "Be kind."), hash("autonomous", "Be kind."), hash("ask_all", "Be brief.")];
    expect(new Set(hashes).size).toBe(3);
  });
});
