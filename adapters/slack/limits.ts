import { type Capabilities, everywhere } from "../../src/chat/index.ts";

/** Slack's numbers. Characters are counted with `&`, `<` and `>` escaped, which is never less than Slack counts. */
export const markdownLimit = 12_000;
/** All blocks of a message together; past it `msg_blocks_too_long` (bolt-js#2509). */
export const messageLimit = 13_200;
/** The `text` beside the blocks: what notifications and screen readers tell. */
export const fallbackLimit = 4_000;
export const sectionLimit = 3_000;
export const footerLimit = 300;
export const buttonLabelLimit = 75;
export const buttonUrlLimit = 3_000;
export const optionLabelLimit = 75;
export const placeholderLimit = 150;
export const elementsPerBlock = 25;
export const blocksPerMessage = 50;
export const blocksPerPage = 100;
export const formTitleLimit = 24;
export const formValueLimit = 3_000;
export const metadataLimit = 3_000;
export const promptsLimit = 4;
export const statusLimit = 100;
export const uploadBytes = 100 * 1024 * 1024;
export const downloadBytes = 100 * 1024 * 1024;
/** A response_url takes five answers within thirty minutes. */
export const responseUrlMs = 29 * 60_000;
export const responseUrlUses = 5;

/** One message a second per channel, with short bursts; changes have a tier of their own (50 a minute). */
export const capabilities: Capabilities = {
  progress: everywhere("status"),
  progressIntervalMs: everywhere(3000),
  postIntervalMs: everywhere(1000),
  connectionIntervalMs: 20,
  limits: { fileInBytes: downloadBytes, fileOutBytes: uploadBytes, buttonLabel: buttonLabelLimit },
  idempotentPosts: true,
  threadsBeneath: true,
  persona: "native",
  privatePosts: true,
  forms: true,
  answersStay: true,
  commandPrefix: "/shipmate ",
};
