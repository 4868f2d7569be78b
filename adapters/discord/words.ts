/** Sentences for the owner about this connection: what is wrong, then what to do. And the few words that people see on Discord itself. */
export const words = {
  invalidToken:
    "Discord doesn't know this bot token. Copy it again from the developer portal (your application, Bot, Reset Token), set it, and start again.",
  tokenRevoked:
    "Discord no longer accepts this bot token. Take a new one in the developer portal (your application, Bot, Reset Token), set it, and start again.",
  unreachable: (url: string) => `I can't reach Discord at ${url}. Check this machine's network; I keep trying.`,
  reconnecting: "The line to Discord broke; I'm connecting again.",
  noMessageContent:
    "I can't read messages that don't mention me: the Message Content intent is off. Follow-ups in my threads need my name until you switch it on in the developer portal (your application, Bot, Message Content Intent) and start again.",
  intentsRefused:
    "Discord refuses what I ask to be told. In the developer portal, under Bot, look at the privileged intents, then start again.",
  tooManyServers: "This bot is in too many servers for one connection. Remove it from some, then start again.",
  closedForGood: (code: number) =>
    `Discord closed the connection for good (code ${code}). Update Shipmate, then start again.`,

  askAbout: "Ask about this",
  askAboutForm: { title: "Ask about this message", label: "Your question" },
  asks: (name: string, question: string) => `**${name}** asks: ${question}`,
  threadName: "Conversation",
  noThreads: "I may make no thread there",
};
