/** What a person is told about a file we could not take, and what goes into the prompt in its place. */
const megabytes = (bytes: number): string => {
  const value = bytes / (1024 * 1024);
  return value >= 10 ? String(Math.round(value)) : String(Math.round(value * 10) / 10);
};
const text = (hasText: boolean) => (hasText ? " I read your text." : "");

export const tooLarge = (bytes: number | undefined, limit: number, platform: string, hasText: boolean) =>
  bytes === undefined
    ? `That file is larger than the ${megabytes(limit)} MB that ${platform} lets me take.${text(hasText)}`
    : `That file is ${megabytes(bytes)} MB; ${platform} lets me take ${megabytes(limit)}.${text(hasText)}`;
export const tooMany = (limit: number, hasText: boolean) =>
  `I take ${limit} files at a time and left this one out.${text(hasText)}`;
export const tooMuch = (limit: number, hasText: boolean) =>
  `Together these files are more than ${megabytes(limit)} MB, so I left this one out.${text(hasText)}`;
export const gone = (platform: string, hasText: boolean) =>
  `${platform} doesn't have that file any more.${text(hasText)}`;
export const unavailable = (platform: string, hasText: boolean) =>
  `I couldn't get that file from ${platform}. Please send it again.${text(hasText)}`;
export const slow = (platform: string, hasText: boolean) =>
  `${platform} took too long to hand me that file. Please send it again.${text(hasText)}`;
export const notHere = (platform: string, hasText: boolean) => `I can't take files from ${platform}.${text(hasText)}`;
export const notSaved = (hasText: boolean) => `I couldn't save that file here.${text(hasText)}`;
/** Where several files came with one message. */
export const named = (name: string, problem: string) => `\`${name}\`: ${problem}`;
