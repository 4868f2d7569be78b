/**
 * The runs room: one Codex turn from the claimed delivery to the answer in the outbox.
 * The worker takes wake-ups, a Run drives its turn, recovery settles at boot what an earlier process left behind.
 */
export {};
