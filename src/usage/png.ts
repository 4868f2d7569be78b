import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const fonts = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];

/** What the fonts that come along have letters for; for all others those of the computer are asked. */
const covered =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** Draws an SVG in a thread of its own. The drawing library is loaded when it is needed first: it is large, and pictures are rare. */
export async function toPng(svg: string): Promise<Buffer> {
  const { renderAsync } = await import("@resvg/resvg-js");
  const image = await renderAsync(svg, {
    font: {
      fontFiles: fonts.map((name) => require.resolve(`dejavu-fonts-ttf/ttf/${name}`)),
      loadSystemFonts: !covered.test(svg),
      defaultFontFamily: "DejaVu Sans",
    },
  });
  return image.asPng();
}
