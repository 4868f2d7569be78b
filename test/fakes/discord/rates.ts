import { createHash } from "node:crypto";
import type { World } from "./world.ts";

export interface Pace {
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds to wait, where it was too much. */
  readonly retryAfter: number | undefined;
  readonly global: boolean;
}

interface Bucket {
  used: number;
  resetsAt: number;
}

/** Counts calls per route and channel, as the headers of every answer tell; refuses only where `rateLimits` is set. */
export function createRates(world: World) {
  const buckets = new Map<string, Bucket>();
  const enforced = world.options.rateLimits === true;
  const count = (key: string, windowMs: number): Bucket => {
    const now = world.now();
    const known = buckets.get(key);
    const bucket = known && known.resetsAt > now ? known : { used: 0, resetsAt: now + windowMs };
    buckets.set(key, bucket);
    bucket.used += 1;
    return bucket;
  };
  return {
    /** `major` is the channel, guild or webhook whose bucket it is. */
    take: (route: string, major: string, exempt: boolean): Pace => {
      const writes = /^(POST|PATCH) \/(channels\/:channel|webhooks\/:webhook\/:token)(\/messages)?/.test(route);
      const limit = enforced ? (writes ? 5 : 50) : 1000;
      const bucket = count(`${route}:${major}`, enforced && writes ? 5000 : 1000);
      const second = exempt ? undefined : count("global", 1000);
      const over = enforced && second !== undefined && second.used > 50 ? second : bucket;
      const resetAfter = Math.max(0, (over.resetsAt - world.now()) / 1000);
      const tooMuch = enforced && (over !== bucket || bucket.used > limit);
      return {
        headers: {
          "x-ratelimit-limit": `${limit}`,
          "x-ratelimit-remaining": `${Math.max(0, limit - bucket.used)}`,
          "x-ratelimit-reset": `${(bucket.resetsAt / 1000).toFixed(3)}`,
          "x-ratelimit-reset-after": `${Math.max(0, (bucket.resetsAt - world.now()) / 1000).toFixed(3)}`,
          "x-ratelimit-bucket": createHash("md5").update(route).digest("hex"),
        },
        retryAfter: tooMuch ? resetAfter : undefined,
        global: tooMuch && over !== bucket,
      };
    },
  };
}
