/** Who may ask in a group or channel. */
export const ask = (owner: string) => `Hi. ${owner}, who may ask me here?`;
export const everyone = "Everyone";
export const team = "My team";
export const onlyOwner = "Only me";

export const opened = {
  everyone: "Everyone may ask me here.",
  members: "My team may ask me here.",
  owner: (owner: string) => `Only ${owner} may ask me here.`,
} as const;
export const closed = "Nobody decided yet who may ask me here.";
export const closedHere = `${closed} A manager can, with /place.`;
export const leads = (name: string) => `${name} answers here by default.`;
export const whoLeads = "Who answers here by default";
export const inShared = "That is for groups and channels: say it there.";
export const openedBy = (what: string, by: string) => `${what} Decided by ${by}.`;
export const privateChat = "a direct message";
