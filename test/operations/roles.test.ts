import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { say } from "../fakes/model/index.ts";
import { canStartRedis, startRedis, type TestRedis } from "../support/redis.ts";
import { createWorld, type World } from "../support/world.ts";

describe.each(["postgres", "redis"] as const)("bot and worker as two processes, with the queue on %s", (backend) => {
  describe.skipIf(backend === "redis" && !canStartRedis())("", () => {
    let world: World;
    let redis: TestRedis | undefined;
    beforeEach(async () => {
      world = await createWorld();
      if (backend === "redis") redis = await startRedis();
    });
    afterEach(async () => {
      await world[Symbol.asyncDispose]();
      await redis?.[Symbol.asyncDispose]();
    });

    test("a message goes through both, also while the worker is being replaced", async () => {
      const { telegram, model } = world;
      const { ada } = telegram;
      const queue: Record<string, string> = redis === undefined ? {} : { REDIS_URL: redis.url };
      // The roles of docker-compose.yml.
      await world.start({ ...queue, SHIPMATE_ROLES: "gateway,scheduler,http" });
      const first = await world.start({ ...queue, SHIPMATE_ROLES: "worker,http" });
      await world.claim();
      model.enqueue([say("The first answer.")]);
      telegram.say(ada, ada, "hello");
      await telegram.waitForMessage(ada, (message) => message.text.includes("The first answer."));

      await first.end("SIGTERM");
      model.enqueue([say("The second answer.")]);
      telegram.say(ada, ada, "are you still there?");
      await world.start({ ...queue, SHIPMATE_ROLES: "worker,http" });
      await telegram.waitForMessage(ada, (message) => message.text.includes("The second answer."));
      expect(telegram.chat(ada).fromBot.filter((each) => each.text.includes("answer."))).toHaveLength(2);
    });
  });
});
