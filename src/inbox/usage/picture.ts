import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../../shared/index.ts";
import {
  drawUsage,
  type Period,
  type PictureWords,
  type Span,
  tokensOf,
  toPng,
  type UsageReport,
} from "../../usage/index.ts";
import type { Words } from "../../words/index.ts";
import { destination, type PersonScene } from "../scene.ts";
import { reportFor, seesAll } from "./card.ts";

/** Draws what was used and sends the picture beneath the card. */
export async function sendPicture(scene: PersonScene, period: Period): Promise<void> {
  const { unit, deps, place, connectionId, event, words } = scene;
  const report = await reportFor(scene, period);
  const title = seesAll(scene) ? words.usage.title[period] : words.usage.yourTitle[period];
  const png = await toPng(drawUsage(report, pictureWords(report.span, title, words.usage)));
  await mkdir(deps.cardFolder, { recursive: true, mode: 0o700 });
  const path = join(deps.cardFolder, `${newId()}.png`);
  await writeFile(path, png, { mode: 0o600 });
  await deps.outbox.enqueue(unit, {
    op: "upload",
    file: {
      path,
      name: words.usage.picture.file[period],
      mime: "image/png",
      caption: caption(report, title, words.usage),
    },
    to: destination(scene),
    purpose: "file",
    lane: `place:${place.id}`,
    dedupKey: `inbox:${connectionId}:${event.key}:picture`,
  });
}

const mostNamed = 3;

/** What the picture shows, for those who do not see it. */
function caption({ total, teammates }: UsageReport, title: string, words: Words["usage"]): string {
  const named = teammates
    .slice(0, mostNamed)
    .map((line) => words.picture.part(line.name ?? words.unasked, words.tokens(tokensOf(line))));
  return words.picture.caption(title, words.tokens(tokensOf(total)), named);
}

function pictureWords(span: Span, title: string, words: Words["usage"]): PictureWords {
  const { period, zone, from, to } = span;
  const format = new Intl.DateTimeFormat("en-GB", { ...stepParts[period], timeZone: zone });
  const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: zone });
  return {
    ...words.picture,
    title,
    when: days.formatRange(from, to),
    tokens: words.tokens,
    byStep: words.picture.byStep[period],
    nothing: words.nothing[period],
    unasked: words.unasked,
    others: words.others,
    step: (start) => format.format(start),
  };
}

const stepParts = {
  today: { hour: "2-digit", minute: "2-digit" },
  week: { weekday: "short" },
  month: { day: "numeric", month: "short" },
} as const satisfies Record<Period, Intl.DateTimeFormatOptions>;
