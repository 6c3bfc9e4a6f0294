import assert from "node:assert/strict";
import { circlesOf } from "./boundaries/circles.ts";
import { misplacedIn } from "./boundaries/forbidden.ts";
import { importsOf } from "./boundaries/imports.ts";
import { layerFaults, missingLayers } from "./boundaries/layers.ts";
import { callsOf, includesOf, nativeFaults } from "./boundaries/native.ts";

const from = (file: string, ...paths: string[]) =>
  layerFaults(file, importsOf(file, paths.map((path) => `import type { X } from "${path}";`).join("\n")));

Deno.test("imports run downwards, between packages and inside the large ones", () => {
  assert.deepEqual(from("src/engine/run/run.ts", "../rollback/undo-log.ts", "../../base/error.ts"), []);
  assert.deepEqual(from("src/engine/rollback/undo-log.ts", "../run/run.ts"), [
    "src/engine/rollback/undo-log.ts:1: src/engine/rollback may not import src/engine/run: imports run downwards",
  ]);
  assert.deepEqual(from("src/base/error.ts", "./json.ts", "../engine/run/run.ts"), [
    "src/base/error.ts:2: src/base may not import src/engine: imports run downwards",
  ]);
});

Deno.test("what stands in one layer does not import each other, and the files of a folder are a layer", () => {
  assert.equal(from("src/desktop/native/calls.ts", "../simulated/world.ts").length, 1);
  assert.equal(from("src/desktop/snapshot.ts", "./locator/locator.ts").length, 1);
  assert.equal(from("src/desktop/locator/locator.ts", "../snapshot.ts").length, 0);
});

Deno.test("tests and fixtures may import anything", () => {
  assert.deepEqual(from("src/base/error_test.ts", "../engine/run/run.ts"), []);
  assert.deepEqual(from("src/mcp/session/_host.ts", "../make-host.ts"), []);
});

Deno.test("a package without a layer is a fault, and so is a layer without files", () => {
  assert.match(from("src/attic/box.ts")[0] ?? "", /"attic" has no layer in src\//);
  assert.ok(missingLayers(["src/base/error.ts"]).some((fault) => fault.endsWith('src/ has no "engine"')));
});

Deno.test("a circle is found and told in the order of its imports; what only leads into one is none", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["a", "missing"]],
    ["d", ["e"]],
    ["e", ["e"]],
    ["f", ["a"]],
  ]);
  assert.deepEqual(circlesOf(graph), [["e"], ["a", "b", "c"]]);
  assert.deepEqual(circlesOf(new Map([["a", ["b", "c"]], ["b", ["c"]], ["c", []]])), []);
});

Deno.test("imports of types and lazy ones count, examples in comments do not", () => {
  const text =
    'import type { A } from "./a.ts";\nconst b = await import("../b.ts");\n/**\n * import "./c.ts";\n */\n';
  assert.deepEqual(importsOf("src/x/y.ts", text).map(({ to, line }) => [to, line]), [["src/x/a.ts", 1], [
    "src/b.ts",
    2,
  ]]);
});

Deno.test("files of C that call each other in a circle are found, and a call that is listed for nothing", () => {
  const files = new Map([
    ["linux/a.c", "bool bs_a(int x) {\n  return bs_b(x);\n}\nstatic void bs_own(void) {\n}\n"],
    ["linux/b.c", "bool bs_b(int x) {\n  return x && bs_c(x);\n}\n"],
    ["src/c.c", '#include "c.h"\nbool bs_c(\n    int x) {\n  return bs_a(x);\n}\n'],
    ["src/c.h", '#include "d.h"\n'],
    ["linux/d.h", '#include "c.h"\n'],
  ]);
  const calls = callsOf(files), none = new Map<string, readonly string[]>();
  assert.deepEqual([...calls], [["linux/a.c", ["linux/b.c"]], ["linux/b.c", ["src/c.c"]], ["src/c.c", [
    "linux/a.c",
  ]]]);
  assert.deepEqual(nativeFaults(calls, none, []), [
    "native/linux/a.c:1: calls itself in a circle: linux/a.c -> linux/b.c -> src/c.c -> linux/a.c",
  ]);
  const line = { from: /c\.c$/, to: /a\.c$/, why: "a test" };
  assert.deepEqual(nativeFaults(calls, none, [line]), []);
  assert.equal(nativeFaults(calls, none, [line, { from: /a\.c$/, to: /nothing/, why: "a test" }]).length, 1);
  assert.match(nativeFaults(none, includesOf(files), [])[0] ?? "", /includes itself in a circle/);
});

Deno.test("a file beside this one is named with the ending that it has in the package, too", () => {
  const use = 'new Worker(new URL("./log-thread.ts", import.meta.url));';
  assert.match(misplacedIn("src/engine/evidence/log-writer.ts", use)[0]?.why ?? "", /\.js there/);
  assert.deepEqual(misplacedIn("src/base/within.ts", ` * const file = ${use}`), []);
});

Deno.test("Deno is known to the files named deno.ts alone, however it is written", () => {
  const uses = [
    "const text = Deno.readTextFileSync(path);",
    "if (globalThis.Deno) return;",
    "const { Deno: deno } = globalThis;",
    'if ("Deno" in globalThis) return;',
  ];
  for (const use of uses) {
    assert.equal(misplacedIn("src/engine/run/run.ts", `\n${use}\n`)[0]?.line, 2, use);
    assert.equal(misplacedIn("src/ffi/library.ts", use).length > 0, true, use);
    assert.deepEqual(misplacedIn("src/mcp/transport/http/serve/deno.ts", use), [], use);
  }
  assert.deepEqual(misplacedIn("src/base/runtime.ts", "// as Deno.serve does"), []);
});

Deno.test("a library is opened in src/ffi alone, on Deno and on Node", () => {
  for (const use of ["Deno.dlopen(path, symbols);", 'import koffi from "koffi";']) {
    assert.match(misplacedIn("src/desktop/native/calls/deno.ts", use)[0]?.why ?? "", /only src\/ffi/, use);
    assert.deepEqual(misplacedIn("src/ffi/deno.ts", use), [], use);
  }
});
