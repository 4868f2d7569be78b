/**
 * The usage room: what each run used, by whom and paid with what (plan and key apart). Writes the ledger when a run ends,
 * sums it up over a time in somebody's zone, and draws the sum as a picture.
 */
export { addUsage, originOf } from "./ledger.store.ts";
export { isPeriod, type Period, periods, type Span, spanOf } from "./period.ts";
export { drawUsage, type PictureWords } from "./picture.ts";
export { toPng } from "./png.ts";
export { type ByPayer, tokensOf, type UsageLine, type UsageReport, usageReport } from "./report.ts";
