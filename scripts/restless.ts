/** Programs whose windows never rest: see USAGE. */
import process from "node:process";
import { canStart, endure, RESTLESS } from "../tests/_restless.ts";
import { misused, optionsOf } from "./options.ts";

const USAGE = `deno task restless [--on NAME,…] [--seconds N]

Reads and clicks programs in whose windows things come, change and go every few milliseconds, each on a private desktop. None may
end, nothing may fail, and each click must be counted once by the program itself. The last line counts; what is not installed is
skipped.

  --on        ${Object.keys(RESTLESS).join(", ")}; default: all
  --seconds   for each; default 60`;

const { values } = optionsOf(USAGE, {
  options: { on: { type: "string" }, seconds: { type: "string", default: "60" } },
});
const names = values.on?.split(",") ?? Object.keys(RESTLESS);
const unknown = names.filter((name) => !Object.hasOwn(RESTLESS, name));
if (unknown.length > 0) misused(USAGE, `There is no restless program ${unknown.join(", ")}.`);
const seconds = Number(values.seconds);
if (!(seconds > 0)) misused(USAGE, `--seconds is a number above 0, not "${values.seconds}".`);

let [passed, failed, skipped] = [0, 0, 0];
for (const name of names) {
  if (!canStart(name)) {
    skipped++;
    console.log(`skipped  ${name}: ${RESTLESS[name]?.needs} is not there`);
    continue;
  }
  const { looks, clicks, counted, errors } = await endure(name, seconds * 1_000);
  const right = errors.length === 0 && counted === clicks;
  if (right) passed++;
  else failed++;
  console.log(
    `${right ? "passed" : "FAILED"}   ${name}: ${looks} looks, ${counted} of ${clicks} clicks counted`,
  );
  for (const error of errors) console.log(`         ${error}`);
}
console.log(`restless: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
