import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { wordsFor } from "../words/index.ts";

/** What a page asks for; texts are plain. */
export interface FormPage {
  readonly title: string;
  readonly intro: string;
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly secret: boolean;
    readonly long: boolean;
  }[];
  /** What its button says; to send, where absent. */
  readonly button?: string | undefined;
  /** Why what was sent will not do. */
  readonly problem?: string | undefined;
}

type Markup = ReturnType<typeof html>;

const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--dim:#5c6570;--paper:#fff;--line:#c9d0d8;--act:#1f6feb;--warn:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e7eaee;--dim:#9aa4af;--paper:#15181c;--line:#3a424c;--act:#4c8dff;--warn:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:30rem;margin:0 auto;padding:2.5rem 1.25rem}
h1{font-size:1.35rem;line-height:1.3;margin:0 0 .75rem;overflow-wrap:anywhere}
p{margin:0 0 1rem;white-space:pre-line;overflow-wrap:anywhere}
label,h2{display:block;font-size:1rem;font-weight:600;margin:1.25rem 0 .35rem;overflow-wrap:anywhere}
input,textarea{width:100%;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.6rem;padding:.7rem .8rem}
textarea{min-height:9rem;resize:vertical}
input:focus,textarea:focus{outline:2px solid var(--act);outline-offset:1px;border-color:var(--act)}
button{width:100%;margin-top:1.5rem;font:inherit;font-weight:600;color:#fff;background:var(--act);border:0;border-radius:.6rem;padding:.8rem;cursor:pointer}
pre{margin:0;padding:.7rem .8rem;border:1px solid var(--line);border-radius:.6rem;font:14px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;user-select:all}
.dim{color:var(--dim);font-size:.9rem;margin-top:1.25rem}
.warn{color:var(--warn);font-weight:600}
`;

/** Nothing is loaded from anywhere, nothing runs, and the form can only be sent to where it came from. */
export function contentPolicy(): string {
  const hash = createHash("sha256").update(style).digest("base64");
  return `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

export function formPage(page: FormPage): Markup {
  const words = wordsFor(undefined).pages;
  return frame(
    page.title,
    html`${page.intro === "" ? "" : html`<p>${page.intro}</p>`}
${page.problem === undefined ? "" : html`<p class="warn" role="alert">${page.problem}</p>`}
<form method="post" autocomplete="off">
${page.fields.map(field)}
<button type="submit">${page.button ?? words.send}</button>
</form>
<p class="dim">${page.fields.length === 0 ? words.noteShown : words.note}</p>`,
  );
}

function field({ name, label, secret, long }: FormPage["fields"][number], index: number): Markup {
  const id = `field-${index}`;
  const rest = raw(
    `autocapitalize="off" autocorrect="off" spellcheck="false" required${index === 0 ? " autofocus" : ""}`,
  );
  if (long) {
    return html`<label for="${id}">${label}</label><textarea id="${id}" name="${name}" autocomplete="off" ${rest}></textarea>`;
  }
  // A password manager must neither fill in nor keep what is sent once.
  const kind = secret ? raw('type="password" autocomplete="one-time-code"') : raw('type="text" autocomplete="off"');
  return html`<label for="${id}">${label}</label><input id="${id}" name="${name}" ${kind} ${rest}>`;
}

/** What is shown once, each part to be copied as it is. */
export function shownPage(title: string, text: string, parts: readonly { label: string; text: string }[]): Markup {
  return frame(
    title,
    html`<p>${text}</p>
${parts.map((part) => html`<h2>${part.label}</h2><pre>${part.text}</pre>`)}`,
  );
}

export function plainPage(title: string, text: string): Markup {
  return frame(title, html`<p>${text}</p>`);
}

function frame(title: string, body: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>`;
}
