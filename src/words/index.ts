/**
 * Every word a person sees, one catalog per language. Short, plain, warm: first the fact, then what to do.
 * A new language is one more folder beside `en` with the same shape; the compiler says what it lacks.
 */
import * as en from "./en/index.ts";

export type Words = typeof en;

/** The catalog for a person's language (BCP 47 tag as their platform reports it); English where there is none. */
export function wordsFor(_locale: string | null | undefined): Words {
  return en;
}
