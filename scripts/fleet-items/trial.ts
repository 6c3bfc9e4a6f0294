import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { readFleetUrl } from "../../src/fleet/database/place.ts";
import { EmbeddedPostgres } from "../../src/fleet/embedded/postgres.ts";
import { type ExportedItem } from "../../src/fleet/items/export.ts";
import { migrate } from "../../src/fleet/migrate.ts";
import { Database } from "../../src/fleet/database/database.ts";
import { itemsIn } from "../../src/workflow/read-items.ts";
import { Dice } from "../histories/dice.ts";
import { judge } from "./judge.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What items run on. */
export const STAGES = ["simulated", "gtk3"] as const;

/** What a trial is made of. */
export interface ItemTrialOptions {
  readonly items: number;
  readonly seed: number;
  readonly on: typeof STAGES[number];
  /** Processes of workers. */
  readonly workers: number;
  readonly desktops: number;
}

/** An order, and how it will go: "busy" fails the first time, and passes then. */
export interface Order {
  readonly order: string;
  readonly customer: string;
  readonly amount: string;
  readonly how: "well" | "unknown" | "broken" | "busy";
}

/** What a trial came to. */
export interface ItemTrialResult {
  /** What is otherwise than it should be. */
  readonly faults: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  /** Items that were rejected or failed, and left nothing. */
  readonly rolledBack: number;
  /** Milliseconds from loading to the last export. */
  readonly took: number;
}

/** Further tries of an item that failed. */
export const RETRIES = 1;

/** So many orders: every tenth of an unknown customer, and every twentieth of the others, at random, of a form that fails. */
export function orders(count: number, seed: number): Order[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, (_, index): Order => {
    const fails = dice.oneIn(20);
    const lasting = dice.oneIn(2);
    return {
      order: `A-${index + 1}`,
      // Also what CSV must quote, and what is no ASCII.
      customer: dice.of([`Ada ${index}`, `Lovelace, Ada "${index}"`, `Grâce ${index}`, `=1+${index}`]),
      amount: String(dice.below(1_000)),
      how: index % 10 === 9 ? "unknown" : fails ? (lasting ? "broken" : "busy") : "well",
    };
  });
}

/** Loads them into a fleet of its own, has workers do them, and judges states and exports. */
export async function itemTrial(
  { items, seed, on, workers, desktops }: ItemTrialOptions,
): Promise<ItemTrialResult> {
  const folder = mkdtempSync("/tmp/bsi-");
  // The database runs as another account where this is root, and lies below.
  chmodSync(folder, 0o711);
  const postgres = new EmbeddedPostgres({ folder: join(folder, "pg") });
  const given = orders(items, seed);
  const began = performance.now();
  try {
    await postgres.start();
    const database = await Database.open(readFleetUrl(postgres.url), { name: "fleet-items" });
    await migrate(database);
    await database.close();
    const project = join(folder, "project");
    const account = join(folder, "account.jsonl");
    mkdirSync(join(project, ".git"), { recursive: true });
    writeFileSync(join(project, "orders.csv"), csv(given));
    const workflow = on === "gtk3" ? "order.yaml" : "order.ts";
    writeFileSync(join(project, workflow), on === "gtk3" ? onGtk3(account) : onSimulated(account));
    const env = { BACKSTEP_FLEET_URL: postgres.url };
    const run = (name: string, ...args: string[]) =>
      backstep(args, project, { ...env, BACKSTEP_STATE: join(folder, name) });
    const load = [
      "fleet",
      "items",
      "load",
      "orders.csv",
      "--into",
      "orders",
      "--workflow",
      workflow,
      "--key-field",
      "order",
    ];
    await run("who", ...load, "--retries", String(RETRIES), "--evidence", "off");
    // Loading the same file again changes nothing.
    await run("who", ...load);
    const names = Array.from({ length: workers }, (_, n) => `worker-${n + 1}`);
    await Promise.all(
      names.map((name) =>
        run(name, "fleet", "worker", "--once", "--name", name, "--desktops", String(desktops))
      ),
    );
    await run("who", "fleet", "items", "export", "orders", "--output", "all.json");
    await run("who", "fleet", "items", "export", "orders", "--output", "all.csv");
    await run(
      "who",
      "fleet",
      "items",
      "export",
      "orders",
      "--state",
      "failed,rejected",
      "--output",
      "left.csv",
    );
    const read = (name: string) => readFileSync(join(project, name), "utf8");
    const { items: exported }: { items: ExportedItem[] } = JSON.parse(read("all.json"));
    return {
      ...judge(given, {
        items: exported,
        all: itemsIn(read("all.csv"), "all.csv").map(({ fields }) => fields),
        left: itemsIn(read("left.csv"), "left.csv").map(({ fields }) => fields),
        account: read("../account.jsonl").trim().split("\n").map((line) => JSON.parse(line)),
        on,
      }),
      took: performance.now() - began,
    };
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function csv(given: readonly Order[]): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = given.map((one) => [one.order, one.customer, one.amount, one.how].map(quoted).join(","));
  return ["order,customer,amount,how", ...lines].join("\r\n");
}

function onGtk3(account: string): string {
  const fixture = join(ROOT, "tests/fixtures/fleet/orders.py");
  const args = [fixture, account, "{{item.order}}", "{{item.how}}"];
  return `name: Enter an order
session: isolated
app: orders.py
before:
  - launch: ${JSON.stringify({ app: "/usr/bin/python3", args })}
steps:
  - set: { target: 'textfield[name="Customer"]', value: '{{item.customer}}' }
  - set: { target: 'textfield[name="Amount"]', value: '{{item.amount}}' }
  - click: 'checkbox[name="Express"]'
  - reject: 'There is no customer {{item.customer}}'
    if: { exists: 'label[name="No such customer"]' }
  - assert: { target: 'label[name="Confirmed"]', exists: true, timeout: 0 }
  - id: entered
    value: 'textfield[name="Amount"]'
after: [ { quit: orders.py } ]
`;
}

/** A program, since only that can fail the first time and pass then: it writes down its tries. */
function onSimulated(account: string): string {
  return `import { appendFileSync, readFileSync } from "node:fs";
import { workflow } from ${JSON.stringify(new URL("mod.ts", `file://${ROOT}`).href)};
const ACCOUNT = ${JSON.stringify(account)};
export default workflow("Enter an order", {
  session: "simulated", app: "sim.settings", before: async (t) => { await t.launch("sim.settings"); },
}, async (t) => {
  const { order, customer, how } = t.item;
  appendFileSync(ACCOUNT, JSON.stringify({ order, what: "opened" }) + "\\n");
  const tries = readFileSync(ACCOUNT, "utf8").split("\\n").filter((line) => line.includes(JSON.stringify(order))).length;
  const field = t.locator('textfield[name="Name"]');
  await field.set(String(customer));
  if (how === "unknown") await t.reject("There is no customer " + customer);
  const confirmed = how === "well" || (how === "busy" && tries > 1);
  await t.expect(t.locator(confirmed ? 'button[name="Apply"]' : 'button[name="Nowhere"]')).toExist(true, { timeout: 0 });
});
`;
}

/** Runs the command line. Throws with what it said where that failed. */
async function backstep(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(
    Deno.execPath(),
    ["run", "-A", "--config", join(ROOT, "deno.json"), join(ROOT, "bin.ts"), ...args],
    { cwd, env: { ...process.env, ...env, NO_COLOR: "1" }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => said = (said + text).slice(-20_000));
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), 30 * 60_000);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  if (code !== 0) throw new Error(`backstep ${args.join(" ")} ended with ${code}:\n${said.slice(-3_000)}`);
}
