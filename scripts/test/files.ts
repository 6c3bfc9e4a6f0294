/** Which test files are run how. @module */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { MAY_TAKE_LONGER } from "./times.ts";

/** Compiles and runs the core's own suites: minutes on one processor, which the real desktops beside it leave idle. */
const CORE = "tests/native_core_test.ts";

const LOADS_THE_CORE =
  /\b(?:Matrix|Stage|RecordStage|Desk|Browser)\.open\(|\bMatrixRun\.on\(|\b(?:onToolkit|connectNative|openNative|verifyActs|playMany)\(|Core\.open\(|openSession\(\{ kind: "(?:isolated|attach)"/;

/**
 * Deno up to 2.9.5 closes the descriptor of a Unix socket of `node:net` twice: the second time it may be a file that another
 * thread of the process has just opened. Then that fails with EBADF. 2.9.6 is the first that does not; these stay apart for
 * whoever runs them with an older one.
 */
const CLOSES_TWICE = [
  /\b(?:withHttp|serveHttp)\(|"(?:\.\/|[^"]*\/http\/)(?:listen|proxy|folder)\.ts"|"[^"]*\bbus-connection\.ts"/,
  /"node:net"|\b(?:withDesk|connectI3|connectNiri|connectEwmh|openWindowManager|XConnection\.open)\(/,
];

/**
 * The test files that run in a process of their own: those that load the native core in this process, by what they or the
 * helpers beside them call, since it serves one thread of a process; those that close what may be another thread's; and the
 * core's own. Those that take long come first: what is left at the end is short, so that no lane waits for another.
 */
export function testsOfTheirOwn(root: URL): string[] {
  const files = ["src/", "tests/"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: folder === "src/", encoding: "utf8" })
      .filter((name) => name.endsWith("_test.ts")).map((name) => folder + name)
  ).sort();
  const own = files.filter((name) => needsItsOwn(new URL(name, root), name.startsWith("tests/"), new Set()));
  const all = new Set([...own, CORE]);
  const long = Object.keys(MAY_TAKE_LONGER).filter((file) => all.delete(file));
  return [...long, ...all];
}

function needsItsOwn(file: URL, mayLoad: boolean, seen: Set<string>): boolean {
  if (seen.has(file.href) || !existsSync(file)) return false;
  seen.add(file.href);
  const text = readFileSync(file, "utf8");
  if (CLOSES_TWICE.some((one) => one.test(text)) || (mayLoad && LOADS_THE_CORE.test(text))) return true;
  // Beside units lies what they test; only helpers do anything for a test.
  const helpers = mayLoad ? /from "(\.\/[^"]+\.ts)"/g : /from "(\.\/_[^"]+\.ts)"/g;
  return [...text.matchAll(helpers)].some(([, path = ""]) => needsItsOwn(new URL(path, file), mayLoad, seen));
}
