import type { APIEmbed } from "discord-api-types/v10";
import { badLength, type Problem, tooLong } from "./failure.ts";

const limits = { title: 256, description: 4096, footer: 2048, author: 256, fieldName: 256, fieldValue: 1024 };

/** What is wrong with the embeds of one message; together they hold 6,000 characters. */
export function embedProblems(embeds: readonly APIEmbed[]): Problem[] {
  const problems: Problem[] = embeds.length > 10 ? [badLength("embeds", 0, 10)] : [];
  let total = 0;
  embeds.forEach((embed, at) => {
    const check = (path: string, text: string | undefined, max: number) => {
      total += text?.length ?? 0;
      if ((text?.length ?? 0) > max) problems.push(tooLong(`embeds.${at}.${path}`, max));
    };
    check("title", embed.title, limits.title);
    check("description", embed.description, limits.description);
    check("footer.text", embed.footer?.text, limits.footer);
    check("author.name", embed.author?.name, limits.author);
    if ((embed.fields?.length ?? 0) > 25) problems.push(badLength(`embeds.${at}.fields`, 0, 25));
    embed.fields?.forEach((field, index) => {
      check(`fields.${index}.name`, field.name, limits.fieldName);
      check(`fields.${index}.value`, field.value, limits.fieldValue);
    });
    const empty = !embed.title && !embed.description && !embed.fields?.length && !embed.image && !embed.thumbnail;
    if (empty && !embed.footer && !embed.author) {
      problems.push({
        path: `embeds.${at}.description`,
        code: "BASE_TYPE_REQUIRED",
        message: "This field is required",
      });
    }
  });
  if (total > 6000) {
    const message = "Embed size exceeds maximum size of 6000";
    problems.push({ path: "embeds", code: "MAX_EMBED_SIZE_EXCEEDED", message });
  }
  return problems;
}
