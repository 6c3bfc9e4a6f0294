/**
 * Holds the matrix of docs/reference/toolkits.md to the tests that back it. A test declares what it verifies as
 *
 *     claim: "gtk3/check-box",
 *     method: "Action.DoAction(click)",
 *
 * (and `orMethod` behind it, where versions of an application differ) and asserts that method at run time; a cell of the
 * matrix names the methods and, as link references, the tests. Both must say the same: a cell whose test was removed or
 * says otherwise is a fault, and so is a claim that no cell tells.
 *
 * Run by `deno task ok`; prints each fault and exits 1.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";

const root = resolve(import.meta.dirname ?? ".", "..");
const PAGE = "docs/reference/toolkits.md";

/** Columns of the matrix as they are headed, with the first word of a claim. */
const TOOLKITS: ReadonlyMap<string, string> = new Map([
  ["GTK 3", "gtk3"],
  ["GTK 4.8", "gtk4"],
  ["Qt 5", "qt5"],
  ["Qt 6", "qt6"],
  ["Qt Quick", "quick"],
  ["Chromium", "chromium"],
  ["Firefox", "firefox"],
  ["WebKitGTK", "webkit"],
  ["LibreOffice", "libreoffice"],
  ["Swing", "swing"],
  ["macOS", "macos"],
]);

/** What a cell without a test may say first: nobody looked, there is no such thing in this toolkit, or it does not work (and why). */
const OPEN = /^(?:unverified\b|not there\b|no: )/;

/** A claim that a test makes. */
export interface Claim {
  /** "gtk3/check-box" */
  readonly claim: string;
  readonly method: string;
  /** Path of the test from the root of the repository. */
  readonly file: string;
}

interface Cell {
  readonly claim: string;
  readonly text: string;
  readonly line: number;
}

/** The claims that the text of a test declares. */
export function claimsIn(file: string, text: string): Claim[] {
  const made = /\bclaim: "([^"]+)",\s*method: "([^"]+)"(?:,(?:\s*\/\/.*)?\s*orMethod: "([^"]+)")?/g;
  return [...text.matchAll(made)].flatMap(([, claim = "", ...methods]) =>
    methods.filter((method) => method !== undefined).map((method) => ({ claim, method, file }))
  );
}

/** The cells of the tables whose first heading is "action" or "on"; an action is the code span that its row begins with. */
function cellsOf(page: string): Cell[] {
  const cells: Cell[] = [];
  let columns: readonly (string | undefined)[] | undefined;
  for (const [index, line] of page.split("\n").entries()) {
    if (!line.startsWith("|")) {
      columns = undefined;
      continue;
    }
    const [first = "", ...rest] = line.split("|").slice(1, -1).map((cell) => cell.trim());
    if (first === "action" || first === "on") columns = rest.map((heading) => TOOLKITS.get(heading));
    const action = /^`([a-z0-9-]+)`/.exec(first)?.[1];
    if (columns === undefined || action === undefined) continue;
    for (const [k, text] of rest.entries()) {
      const toolkit = columns[k];
      if (toolkit !== undefined) cells.push({ claim: `${toolkit}/${action}`, text, line: index + 1 });
    }
  }
  return cells;
}

/** The faults of a page against the claims of the tests there are, as `file:line: what`. */
export function faultsOf(page: string, claims: readonly Claim[], path = PAGE): string[] {
  const faults: string[] = [];
  const links = new Map(
    [...page.matchAll(/^\[([^\]]+)\]:\s*(\S+)/gm)].map(([, label = "", to = ""]) => [
      label,
      join(dirname(path), to),
    ]),
  );
  const cells = cellsOf(page);
  if (cells.length === 0) faults.push(`${path}: has no table whose first column is "action"`);
  for (const { claim, text, line } of cells) {
    const at = `${path}:${line}: ${claim}`;
    const made = claims.filter((one) => one.claim === claim);
    const named = [...text.matchAll(/\[([^\]]+)\](?!\()/g)].map(([, label = ""]) => label);
    const methods = [...text.matchAll(/`([^`]+)`/g)].map(([, method = ""]) => method);
    if (OPEN.test(text)) {
      if (made.length > 0) faults.push(`${at} is open, and ${filesOf(made)} verifies it`);
      continue;
    }
    if (methods.length === 0) {
      faults.push(`${at} names no method: write "unverified", "not there" or "no: why"`);
    }
    if (named.length === 0) faults.push(`${at} names no test that backs it`);
    for (const label of named) {
      const file = links.get(label);
      if (file === undefined) faults.push(`${at}: [${label}] leads nowhere`);
      else if (!made.some((one) => one.file === file)) faults.push(`${at}: ${file} does not verify it`);
    }
    for (const { method, file } of made) {
      if (!named.some((label) => links.get(label) === file)) faults.push(`${at} does not name ${file}`);
      if (!methods.includes(method)) faults.push(`${at} does not name "${method}", which ${file} verifies`);
    }
    if (made.length === 0) continue;
    for (const method of methods) {
      if (!made.some((one) => one.method === method)) faults.push(`${at}: no test verifies "${method}"`);
    }
  }
  const reported = new Set(cells.map((cell) => cell.claim));
  for (const { claim, file } of claims) {
    if (!reported.has(claim)) faults.push(`${file}: ${path} has no cell for ${claim}`);
  }
  return faults;
}

function filesOf(claims: readonly Claim[]): string {
  return [...new Set(claims.map((claim) => claim.file))].join(" and ");
}

/** What `scripts/probe-macos.sh` wrote on a Mac, once somebody ran it there and committed it (docs/how-to/macos.md). */
const PROBED = "docs/reference/macos-probe.json";

/** The claims that a Mac verified: those of the probe that came out true. */
export function claimsProbed(text: string, file = PROBED): Claim[] {
  const made = /"claim": "(macos\/[^"]+)", "method": "([^"]+)", "verified": true/g;
  return [...text.matchAll(made)].map(([, claim = "", method = ""]) => ({ claim, method, file }));
}

/** Nightly programs that verify claims as tests do. */
const NIGHTLY = ["scripts/wayland.ts"];

/** The claims of every test in `tests/`, and of the nightly programs. */
export function claimsOfTests(folder = join(root, "tests")): Claim[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith("_test.ts")) : [];
  const files = [
    ...names.sort().map((name) => join(folder, name)),
    ...NIGHTLY.map((name) => join(root, name)),
  ];
  const probed = join(root, PROBED);
  return [
    ...files.flatMap((file) => claimsIn(relative(root, file), readFileSync(file, "utf8"))),
    ...(existsSync(probed) ? claimsProbed(readFileSync(probed, "utf8")) : []),
  ];
}

if (import.meta.main) {
  const faults = faultsOf(readFileSync(join(root, PAGE), "utf8"), claimsOfTests());
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
