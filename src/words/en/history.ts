/** Finding what was said. */
export const how = "What should I look for? /history invoice, for example.";
export const nothing = (query: string) => `Nothing was said here with “${query}”.`;
export const found = (count: number, more: boolean) =>
  more ? `The newest ${count}:` : count === 1 ? "Found once:" : `Found ${count} times:`;
export const line = (when: string, author: string, text: string, link: string | undefined) =>
  `- ${link === undefined ? when : `[${when}](${link})`} · **${author}**: ${text}`;
export const older = "There is more. Another word narrows it down.";
