/** Loaded into a process by `--import`: writes the address of every module it loads, one a line, to the file that MODULES_FILE names. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const file = process.env.MODULES_FILE;
registerHooks({
  load: (url, context, next) => {
    if (file !== undefined) appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
