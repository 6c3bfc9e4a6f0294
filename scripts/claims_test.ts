import assert from "node:assert/strict";
import { type Claim, claimsIn, claimsProbed, faultsOf } from "./claims.ts";

const page = (cell: string) =>
  [
    "| action | GTK 3 | Qt 5 |",
    "|---|---|---|",
    `| \`button\` | ${cell} | unverified |`,
    "",
    "[t]: ../../tests/x_test.ts",
  ]
    .join("\n");
const backed: Claim = { claim: "gtk3/button", method: "click()", file: "tests/x_test.ts" };

Deno.test("a cell that names its methods and the test that verifies them is no fault", () => {
  assert.deepEqual(faultsOf(page("`click()` [t]"), [backed]), []);
  assert.deepEqual(faultsOf(page("unverified"), []), []);
  assert.deepEqual(faultsOf(page("not there: it has none"), []), []);
  assert.deepEqual(faultsOf(page("no: it answers true and does nothing"), []), []);
});

Deno.test("a claim of the page that no test backs is a fault, and so is one of a test that the page does not tell", () => {
  const at = "docs/reference/toolkits.md:3: gtk3/button";
  const table: [cell: string, claims: Claim[], faults: string[]][] = [
    ["`click()`", [], [`${at} names no test that backs it`]],
    ["`click()` [t]", [], [`${at}: tests/x_test.ts does not verify it`]],
    ["`click()` [other]", [], [`${at}: [other] leads nowhere`]],
    ["it works", [], [
      `${at} names no method: write "unverified", "not there" or "no: why"`,
      `${at} names no test that backs it`,
    ]],
    ["unverified", [backed], [`${at} is open, and tests/x_test.ts verifies it`]],
    ["`press()` [t]", [backed], [
      `${at} does not name "click()", which tests/x_test.ts verifies`,
      `${at}: no test verifies "press()"`,
    ]],
    ["`click()` [t]", [backed, { ...backed, claim: "gtk3/lever" }], [
      "tests/x_test.ts: docs/reference/toolkits.md has no cell for gtk3/lever",
    ]],
  ];
  for (const [cell, claims, faults] of table) assert.deepEqual(faultsOf(page(cell), claims), faults, cell);
});

Deno.test("a second table tells on which display something works", () => {
  const displays = "\n| on | GTK 3 |\n|---|---|\n| `x11-form` fill | `form.yaml` [t] |\n";
  const claim: Claim = { claim: "gtk3/x11-form", method: "form.yaml", file: "tests/x_test.ts" };
  const whole = page("unverified") + "\n" + displays;
  assert.deepEqual(faultsOf(whole, [claim]), []);
  assert.deepEqual(faultsOf(whole, []), [
    "docs/reference/toolkits.md:9: gtk3/x11-form: tests/x_test.ts does not verify it",
  ]);
});

Deno.test("claims are read from the tables of the tests", () => {
  const text =
    `{\n  claim: "gtk4/tab",\n  method: "XTEST click",\n  do: {},\n}, { claim: "x/y", method: "z" }`;
  assert.deepEqual(claimsIn("tests/a_test.ts", text), [
    { claim: "gtk4/tab", method: "XTEST click", file: "tests/a_test.ts" },
    { claim: "x/y", method: "z", file: "tests/a_test.ts" },
  ]);
});

Deno.test("a claim may name the other method of another version, which the cell names too", () => {
  const text = 'claim: "gtk3/button",\n  method: "click()",\n  // Older ones.\n  orMethod: "press()",\n';
  const claims = claimsIn("tests/x_test.ts", text);
  assert.deepEqual(claims.map(({ method }) => method), ["click()", "press()"]);
  assert.deepEqual(faultsOf(page("`click()`, `press()` [t]"), claims), []);
  assert.equal(faultsOf(page("`click()` [t]"), claims).length, 1);
});

Deno.test("of what a Mac's probe wrote, what came out true is a claim, and the rest is none", () => {
  const line = (claim: string, verified: boolean) =>
    `    {"claim": "macos/${claim}", "method": "AXPress", "verified": ${verified}, "status": 0, "said": ""},`;
  assert.deepEqual(claimsProbed([line("button", true), line("radio", false)].join("\n"), "probe.json"), [
    { claim: "macos/button", method: "AXPress", file: "probe.json" },
  ]);
});
