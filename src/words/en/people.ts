import { platformName } from "./platforms.ts";

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

/** The same person in another app. */
export const link = (code: string, minutes: number) =>
  [
    `Your code, for ${minutes} minutes and one use: \`${code}\``,
    "Send it to me, alone, in a direct message in the other app. From then on I know you there, too.",
  ].join("\n\n");
export const linked = (name: string, role: string) => `You are ${name} here, too, with the same rights: ${role}.`;
export const linkedElsewhere = (account: string, platform: string) =>
  `The account ${account} on ${platformName(platform)} is you from now on. If that was not you, tell the owner at once.`;
export const sameAccount = "I know you here already. Send the code in the other app.";
export const confirmLink = (name: string, theirRole: string, together: string) =>
  `This code is from ${name} (${theirRole}). If ${name} is you, the two become one, with the higher rights: ${together}. If somebody gave it to you, press No.`;
export const confirmYes = "That is me";
export const confirmNo = "No";
export const linkedNow = (name: string) => `You and ${name} are one.`;
export const notLinked = "Nothing was changed.";

export const roleNames = {
  owner: "owner",
  admin: "admin",
  manager: "manager",
  member: "member",
  guest: "guest",
} as const;
