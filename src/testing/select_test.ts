import assert from "node:assert/strict";
import { mkdtempSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Description, reasonToSkip } from "./description.ts";
import type { History } from "./history.ts";
import { describeFiles, select, type Selection } from "./select.ts";

const said = (name: string, more: Partial<Description> = {}): Description => ({
  name,
  tags: [],
  locks: [],
  needs: { programs: [], env: [] },
  secrets: [],
  ...more,
});
const FILES = {
  "w/a.yaml": said("Rename a document", { tags: ["smoke", "gtk"] }),
  "w/b.yaml": said("Print", { tags: ["slow"], locks: ["printer"] }),
  "w/c.yaml": said("Log in", { session: "simulated" }),
  "w/d.yaml": { code: "workflow" as const, message: "Cannot read w/d.yaml" },
};
const HISTORY: History = new Map([
  ["w/a.yaml", { duration_ms: 100, status: "passed" as const }],
  ["w/b.yaml", { duration_ms: 900, status: "failed" as const }],
]);

function chosen(selection: Partial<Selection> = {}) {
  const found = Object.keys(FILES).map((file) => ({ file, path: `/p/${file}` }));
  return select(found, new Map(Object.entries(FILES)), {
    tags: [],
    lastFailed: false,
    repeat: 1,
    ...selection,
  }, HISTORY);
}
const ids = (selection: Partial<Selection>) =>
  chosen(selection).map(({ id }) => id.slice(2)).sort().join(" ");

Deno.test("--grep looks at path and name", () => {
  assert.equal(ids({ grep: "Rename|b\\.yaml" }), "a.yaml b.yaml");
  assert.throws(() => ids({ grep: "(" }), { code: "invalid" });
});

Deno.test("--grep-invert leaves out what it matches, also of what --grep takes", () => {
  assert.equal(ids({ grepInvert: "Rename|b\\.yaml" }), "c.yaml d.yaml");
  assert.equal(ids({ grep: "w/[ab]", grepInvert: "Print" }), "a.yaml");
});

Deno.test("--shuffle begins them in an order that the seed repeats, not with the longest", () => {
  const order = (shuffle: number) => chosen({ shuffle }).map(({ id }) => id).join(" ");
  assert.equal(order(1), order(1));
  assert.ok(new Set([1, 2, 3, 4, 5].map(order)).size > 1);
});

Deno.test("a case is chosen by its name, and by how it ended the last time", () => {
  const found = [{ file: "w/e.yaml", path: "/p/w/e.yaml" }];
  const descriptions = new Map([["w/e.yaml", said("Order", { cases: ["Ada", "Bo"] })]]);
  const history: History = new Map([["w/e.yaml [Bo]", { duration_ms: 5, status: "failed" as const }]]);
  const ids = (selection: Partial<Selection>) =>
    select(found, descriptions, { tags: [], lastFailed: false, repeat: 1, ...selection }, history)
      .map(({ id, case: one }) => `${id}: ${one}`);
  assert.deepEqual(ids({}), ["w/e.yaml [Ada]: Ada", "w/e.yaml [Bo]: Bo"]);
  assert.deepEqual(ids({ grep: "Ada" }), ["w/e.yaml [Ada]: Ada"]);
  assert.deepEqual(ids({ lastFailed: true, repeat: 2 }), ["w/e.yaml [Bo]: Bo", "w/e.yaml [Bo]#2: Bo"]);
});

Deno.test("--tag takes any of its words, none of those after a !, and each that is given; a broken file stays broken", () => {
  assert.equal(ids({ tags: ["smoke,slow"] }), "a.yaml b.yaml d.yaml");
  assert.equal(ids({ tags: ["!slow"] }), "a.yaml c.yaml d.yaml");
  assert.equal(ids({ tags: ["smoke,slow", "!gtk"] }), "b.yaml d.yaml");
});

Deno.test("--last-failed takes what failed the last time, and nothing that never ran", () => {
  assert.equal(ids({ lastFailed: true }), "b.yaml");
});

Deno.test("the longest begins first, each as often as is asked for, and its repetitions have names of their own", () => {
  assert.deepEqual(chosen({ grep: "w/[ab]", repeat: 2 }).map(({ id }) => id), [
    "w/b.yaml",
    "w/b.yaml#2",
    "w/a.yaml",
    "w/a.yaml#2",
  ]);
});

Deno.test("shards hold every file once", () => {
  const all = [1, 2, 3].flatMap((index) => ids({ shard: { index, total: 3 } }).split(" ")).sort();
  assert.deepEqual(all, ["a.yaml", "b.yaml", "c.yaml", "d.yaml"]);
});

Deno.test("a desktop that is there once is a lock; a file for the simulated desktop is skipped elsewhere, with the reason", () => {
  const attached = chosen({ session: "attach" });
  assert.deepEqual(attached.find(({ id }) => id === "w/b.yaml")?.locks, ["printer", "desktop attach"]);
  assert.match(
    attached.find(({ id }) => id === "w/c.yaml")?.reason ?? "",
    /simulated desktop, and the session is attach/,
  );
  assert.deepEqual(chosen().find(({ id }) => id === "w/c.yaml")?.locks, []);
});

Deno.test("what a file needs is looked for: programs by path and on PATH, variables by name", () => {
  const needs = { programs: ["/bin/sh", "sh", "no-such-program", "/no/such"], env: ["PATH", "TOKEN"] };
  const environment = { PATH: "/nowhere:/bin" };
  assert.equal(
    reasonToSkip({ needs }, undefined, environment),
    "not installed: no-such-program, /no/such; not set: TOKEN",
  );
  assert.equal(reasonToSkip({ needs: { programs: ["sh"], env: [] } }, "isolated", environment), undefined);
});

Deno.test("an interrupt ends the reading of a program whose own code hangs, and no more are read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bst-"));
  try {
    const hangs = `import { writeFileSync } from "node:fs";
writeFileSync(import.meta.filename + ".read", "");
while (true);
export default 1;
`;
    const files = ["a.ts", "b.ts"].map((name) => join(folder, name)).map((path) => ({ file: path, path }));
    for (const { path } of files) writeFileSync(path, hangs);
    const interrupt = new AbortController();
    const watcher = watch(folder, (_kind, name) => {
      if (name === "a.ts.read") interrupt.abort();
    });
    const began = performance.now();
    const found = await describeFiles(files, { read: 50_000 }, interrupt.signal);
    watcher.close();
    assert.ok(performance.now() - began < 45_000);
    assert.deepEqual([...found.values()].map((one) => "code" in one && one.code), ["cancelled", "cancelled"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
