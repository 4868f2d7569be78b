/** Strangers, codes and first words. */
export const notSetUp = "This Shipmate isn't set up yet. If it is yours, send the owner code from your terminal.";
export const stranger = (owner: string) => `I work for a team here. Ask ${owner} for an invitation.`;

export const claimed = (name: string, teammate: string) => `You own this Shipmate, ${name}. Say hello to ${teammate}.`;
export const joined = (name: string, teammate: string) => `Welcome, ${name}. Say hello to ${teammate}.`;
export const hello = (name: string, teammate: string) =>
  `Hello ${name}. Write what you need, and ${teammate} takes it from there. /help shows what else I know.`;
/** Pressing one acts as if the person had written it. At most 40 characters. */
export const firstTasks = [
  "What can you do for me?",
  "Make a one-page site about my team",
  "Compare three note apps",
] as const;

export const wrongCode = "I don't know that code. Check it, or ask for a new one.";
export const expiredCode = "That code has expired. Ask for a new one.";
export const usedCode = "That code was used already. Ask for a new one.";

export const roleNames = {
  owner: "owner",
  admin: "admin",
  manager: "manager",
  member: "member",
  guest: "guest",
} as const;
