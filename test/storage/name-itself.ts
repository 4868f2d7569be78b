import { nameThisProcess } from "../../src/shared/index.ts";

// A process that says its name and then waits to be killed.
process.stdout.write(`${nameThisProcess()}\n`);
process.stdin.resume();
