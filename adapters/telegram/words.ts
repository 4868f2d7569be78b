/** What this adapter itself says: sentences for the owner about the connection, what is wrong, then what to do; and a word where Telegram wants one. */
export const words = {
  invalidToken:
    "Telegram doesn't know this bot token. Copy it again from @BotFather (/mybots, API Token), set it, and start again.",
  tokenRevoked:
    "Telegram no longer accepts this bot token. Take the new one from @BotFather (/mybots, API Token), set it, and start again.",
  unreachable: (root: string) => `I can't reach Telegram at ${root}. Check this machine's network; I keep trying.`,
  conflict:
    "Another program polls this bot with the same token. Stop the other one, or give one of them its own bot; I keep trying.",
  rateLimited: (seconds: number) => `Telegram asks me to wait ${seconds} s before I fetch messages again.`,
  privacyMode:
    "Privacy mode is on: in groups I see only commands, messages with my name and replies to me. To let me read more, send /setprivacy to @BotFather, choose Disable, then remove me from the group and add me again.",
  noGroups: "I can't be added to groups. To change that, send /setjoingroups to @BotFather and choose Enable.",
  topicName: "Reports",
  /** In the empty box of a reply that a message asks for; at most 64 characters. */
  replyHere: "Write your answer here",
};
