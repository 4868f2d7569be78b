import type { Pool } from "pg";

/**
 * A connection that breaks between two statements of whoever holds it must not end the process: the pool listens only to
 * idle ones. The next statement on it fails, and that is where it is dealt with.
 */
export function survive(pool: Pool): void {
  pool.on("connect", (client) => void client.on("error", () => {}));
}
