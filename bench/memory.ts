import { setTimeout as sleep } from "node:timers/promises";
import { askAll } from "./throughput.ts";
import { type Bench, type Codex, startWorld } from "./world.ts";

export interface Memory {
  readonly idleRssMb: number;
  /** After so many turns over twenty chats, and a moment of rest. */
  readonly after: readonly { readonly turns: number; readonly rssMb: number; readonly heapMb: number }[];
}

const chats = 20;
const restMs = 2_000;

export async function measureMemory(bench: Bench, codex: Codex): Promise<Memory> {
  // What is garbage at a look is not told apart from a leak otherwise.
  const looking = { ...bench, botFlags: [...bench.botFlags, "--expose-gc"] };
  await using world = await startWorld(looking, { endpoint: codex.endpoints.direct, people: chats, unpaced: true });
  await sleep(restMs);
  const idle = await world.meters();
  const after = [];
  let done = 0;
  for (const turns of looks(bench)) {
    await askAll(world, (turns - done) / chats, Number.POSITIVE_INFINITY);
    done = turns;
    await sleep(restMs);
    const { rssMb, heapMb } = await world.meters();
    after.push({ turns, rssMb, heapMb });
  }
  return { idleRssMb: idle.rssMb, after };
}

/** The heap grows to its working size in the first thousand turns; what it does from there on tells. */
function looks({ quick, long }: Bench): readonly number[] {
  if (long) return [1_000, 2_000, 5_000, 10_000];
  return quick ? [300, 600] : [1_000, 2_000, 3_000];
}
