import { type Capabilities, everywhere } from "../../src/chat/index.ts";

/** Numbers of Discord's API v10. Characters are UTF-16 units of the content as it is sent, markup included. */
export const textLimit = 2000;
export const buttonsPerRow = 5;
export const rowsPerMessage = 5;
export const buttonLabelLimit = 80;
export const buttonUrlLimit = 512;
export const optionsPerSelect = 25;
export const optionLabelLimit = 100;
export const formTitleLimit = 45;
export const formValueLimit = 4000;
export const webhookNameLimit = 80;
export const threadNameLimit = 100;
/** 10 MiB everywhere; servers that are boosted take more. */
export const uploadBytes = 10 * 1024 * 1024;
export const boostedUploadBytes = { 2: 50 * 1024 * 1024, 3: 100 * 1024 * 1024 } as const;
/** People may send up to 500 MB; this much we take in. */
export const downloadBytes = 50 * 1024 * 1024;
/** How long the token of an interaction is good for, in milliseconds; half a minute is kept free for clocks and lines. */
export const interactionMs = 14.5 * 60_000;
/** How much of what was missed is fetched in one channel or thread. */
export const catchUpMessages = 500;

/** About five messages in five seconds per channel, fifty requests a second in all; edits have buckets of their own. */
export const capabilities: Capabilities = {
  progress: everywhere("edit"),
  progressIntervalMs: everywhere(1500),
  postIntervalMs: everywhere(1000),
  connectionIntervalMs: 20,
  limits: { fileInBytes: downloadBytes, fileOutBytes: uploadBytes, buttonLabel: buttonLabelLimit },
  idempotentPosts: true,
  persona: "native",
  privatePosts: true,
  forms: true,
  answersStay: true,
};
