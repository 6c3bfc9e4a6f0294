/** Work items of a fleet: see USAGE. */
import process from "node:process";
import { itemTrial, STAGES } from "./fleet-items/trial.ts";
import { optionsOf } from "./options.ts";

const USAGE = `deno task fleet-items [--items N] [--seed S] [--on simulated|gtk3] [--workers N] [--desktops N]

Work items of a fleet: rows of a CSV file, every tenth of which is rejected, and every twentieth of which fails, at random:
half of those for good, half the first time only. The states and exports must be exact, and what was rejected or failed must be
rolled back. On GTK 3 each item has a window of its own, and what its application wrote of itself is the judge. Ends with 1
when anything is otherwise than it should be.

  --desktops   of a worker; default 1
  --items      default 1000
  --on         simulated (the default) or gtk3
  --seed       a whole number; default 1
  --workers    default 2`;

const { values } = optionsOf(USAGE, {
  options: {
    items: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    on: { type: "string", default: "simulated" },
    workers: { type: "string", default: "2" },
    desktops: { type: "string", default: "1" },
  },
});

const on = STAGES.find((one) => one === values.on);
if (!on) throw new Error(`--on is one of ${STAGES.join(", ")}, not ${values.on}`);
const { faults, counts, took, rolledBack } = await itemTrial({
  items: Number(values.items),
  seed: Number(values.seed),
  on,
  workers: Number(values.workers),
  desktops: Number(values.desktops),
});
for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`);
const states = Object.entries(counts).filter(([, n]) => n > 0).map(([state, n]) => `${n} ${state}`).join(
  ", ",
);
console.log(
  `fleet-items: ${values.items} on ${on}, seed ${values.seed}: ${states}; ${rolledBack} rolled back; ` +
    `${faults.length} faults; ${(took / 1_000).toFixed(1)} s with ${values.workers} workers`,
);
if (faults.length > 0) process.exit(1);
