/** Plays every workflow of tests/untuned and its twin on the real application: see USAGE. */
import process from "node:process";
import { isInstalled, play } from "../tests/untuned/_play.ts";
import { APPLICATIONS } from "../tests/untuned/applications.ts";
import { optionsOf } from "./options.ts";

const USAGE = `deno task untuned [--only NAME,…] [--ci]

Plays every workflow of tests/untuned and its twin on the real application, one after the other. The last line counts; what is
not installed is skipped. What is known to fail is counted as failed and does not end with 1.

  --ci     those that every change runs
  --only   applications`;

const { values } = optionsOf(USAGE, {
  options: { only: { type: "string", multiple: true }, ci: { type: "boolean" } },
  strict: true,
});
const only = (values.only ?? []).flatMap((names) => names.split(","));
const unknown = only.filter((name) => !Object.hasOwn(APPLICATIONS, name));
if (unknown.length > 0) {
  console.error(`untuned: no ${unknown.join(", ")}; there are ${Object.keys(APPLICATIONS).join(", ")}`);
  process.exit(2);
}

let [passed, failed, skipped, unexpected] = [0, 0, 0, 0];
for (const [name, untuned] of Object.entries(APPLICATIONS)) {
  if (only.length > 0 ? !only.includes(name) : values.ci === true && untuned.ci !== true) continue;
  if (!isInstalled(untuned)) {
    skipped += 1;
    console.log(`skipped  ${name}: ${untuned.needs[1]} is not installed`);
    continue;
  }
  const played = await play(name, untuned);
  const existing = untuned.fails ?? {};
  for (const { file, faults, milliseconds } of played) {
    const took = `${name} ${file}, ${(milliseconds / 1_000).toFixed(1)} s`;
    const expected = existing[file];
    if (faults.length === 0) {
      console.log(`passed   ${took}${expected === undefined ? "" : `: it is mended, take "fails" away`}`);
      continue;
    }
    if (expected === undefined) unexpected += 1;
    console.log(`failed   ${took}${expected === undefined ? "" : ` (known: ${expected})`}`);
    for (const fault of faults) console.log(`         ${fault}`);
  }
  if (played.every(({ faults }) => faults.length === 0)) passed += 1;
  else failed += 1;
}
console.log(`untuned: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(unexpected === 0 ? 0 : 1);
