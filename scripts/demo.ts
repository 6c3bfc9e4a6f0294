/**
 * The demonstration: a workflow that passes on a real application, and one that fails and rolls itself back, each on a
 * private desktop, through the same code as `backstep run`. Ends with 0 when both went as they should.
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { main } from "../src/cli/main.ts";

/** A workflow, how it is to end, and what to know beforehand. */
interface Act {
  readonly file: string;
  readonly exit: number;
  readonly intro: string;
}

const ACTS: readonly Act[] = [
  {
    file: "workflows/calculator.yaml",
    exit: 0,
    intro:
      `First a workflow that passes. Backstep starts a desktop of its own, which you cannot see and which cannot touch
yours, launches the GNOME calculator on it, presses its buttons through the accessibility tree, and reads the result.`,
  },
  {
    file: "workflows/form-rollback.yaml",
    exit: 1,
    intro:
      `Now one that is made to fail. It fills a GTK form inside a transaction, and its last step asks for a button that
does not exist. What the steps before it changed is rolled back, in reverse; "restored" is said only of what was
read back from the application and is as it was before.`,
  },
];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const began = performance.now();
let exit = 0;
for (const { file, exit: wanted, intro } of ACTS) {
  process.stdout.write(`${intro}\n\n$ backstep run ${file}\n`);
  const got = await main(["run", file, "--session", "isolated"]);
  process.stdout.write("\n");
  if (got === wanted) continue;
  process.stderr.write(
    `Unexpected: ${file} ended with ${got}, not with ${wanted}. \`backstep check\` may say why.\n`,
  );
  exit = got === 130 ? 130 : 1;
  break;
}
if (exit === 0) {
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(
    `Both went as they should, in ${seconds} s: the first passed, the second failed and left the application as it
found it. Both desktops are gone again. Look into workflows/ to see how little it takes to write one.\n`,
  );
}
process.exitCode = exit;
