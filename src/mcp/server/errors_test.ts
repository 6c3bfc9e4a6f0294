import assert from "node:assert/strict";
import { BackstepError, type ErrorCode } from "../../base/error.ts";
import { toolErrorOf } from "./errors.ts";
import { ToolFailure } from "./failure.ts";

const CODES: readonly (readonly [ErrorCode, string])[] = [
  ["usage", "InvalidValue"],
  ["workflow", "InvalidValue"],
  ["selector", "InvalidValue"],
  ["invalid", "InvalidValue"],
  ["limit", "InvalidValue"],
  ["stale", "ElementStale"],
  ["not_actionable", "ElementNotActionable"],
  ["unsupported", "Unsupported"],
  ["needs_focus", "Unsupported"],
  ["missing", "Unsupported"],
  ["refused", "ActionFailed"],
  ["no_effect", "ActionFailed"],
  ["assertion", "ActionFailed"],
  ["interference", "ActionFailed"],
  ["barrier", "ActionFailed"],
  ["drift", "ActionFailed"],
  ["io", "ActionFailed"],
  ["timeout", "Timeout"],
  ["cancelled", "Cancelled"],
  ["app_not_found", "AppNotFound"],
  ["app_not_running", "AppNotRunning"],
  ["app_gone", "AppNotRunning"],
  ["launch_failed", "LaunchFailed"],
  ["quit_blocked", "QuitBlocked"],
  ["no_desktop", "AccessibilityDenied"],
  ["secure", "SecurityBlocked"],
  ["policy", "SecurityBlocked"],
  ["internal", "InternalError"],
];

for (const [code, kind] of CODES) {
  Deno.test(`an error "${code}" is ${kind}, and says what to try`, () => {
    const failure = toolErrorOf(new BackstepError(code, "Cannot do it: why", { details: { some: "thing" } }));
    assert.equal(failure.kind, kind);
    assert.equal(failure.message, "Cannot do it: why");
    assert.ok(failure.suggestion.length > 10);
    assert.deepEqual(failure.data, { code, some: "thing" });
  });
}

Deno.test("what is not found names the query, the strategies and what is near", () => {
  const failure = toolErrorOf(
    new BackstepError("not_found", "Cannot find Submit: nothing matches", {
      hint: 'There is button "Send". Run `backstep tree` to see all.',
      details: {
        selector: "Submit",
        searched: 7,
        tried: ["title_exact", "title_contains"],
        nearest: [{ name: "Send" }],
      },
    }),
  );
  assert.equal(failure.kind, "ElementNotFound");
  assert.equal(failure.message, "Element not found: 'Submit'");
  assert.deepEqual(failure.data["strategies_tried"], ["title_exact", "title_contains"]);
  assert.match(failure.suggestion, /ax_get_tree.*ax_find_visual.*button "Send"/);
  assert.doesNotMatch(failure.suggestion, /backstep/);
});

Deno.test("what is ambiguous lists candidates; an application, a window or an item is a wrong value", () => {
  const candidates = [{ role: "button", name: "OK", path: "dialog", query: "macos://ui/x" }];
  const failure = toolErrorOf(
    new BackstepError("ambiguous", "Cannot find one", {
      details: { selector: "OK", matches: 2, elements: candidates },
    }),
  );
  assert.equal(failure.kind, "ElementAmbiguous");
  assert.deepEqual([failure.data["query"], failure.data["count"], failure.data["candidates"]], [
    "OK",
    2,
    candidates,
  ]);
  const windows = new BackstepError("ambiguous", "Cannot tell", { details: { windows: ["a", "a"] } });
  assert.equal(toolErrorOf(windows).kind, "InvalidValue");
  const item = new BackstepError("not_found", "no item", { details: { items: ["a"] } });
  assert.equal(toolErrorOf(item).kind, "InvalidValue");
});

Deno.test("a reference that nobody was told, and what a script came to, have their own words", () => {
  const reference = new BackstepError("not_found", "no", { details: { reference: "el-aaaaaa" } });
  assert.deepEqual(
    [toolErrorOf(reference).kind, toolErrorOf(reference).message],
    ["ElementNotFound", "Element not found: 'el-aaaaaa'"],
  );
  for (const [code, kind] of [["timeout", "ScriptTimeout"], ["missing", "ScriptUnavailable"]] as const) {
    assert.equal(toolErrorOf(new BackstepError(code, "no", { details: { script: true } })).kind, kind);
  }
});

Deno.test("failures are bounded, whatever an application writes into them", () => {
  const long = "x".repeat(100_000);
  const details = {
    long,
    list: Array.from({ length: 1_000 }, () => long),
    deep: { a: { b: { c: { d: { e: long } } } } },
  };
  const failure = toolErrorOf(new BackstepError("refused", long, { hint: long, details }));
  assert.ok(failure.message.length <= 1_500 && failure.suggestion.length <= 800);
  assert.ok(JSON.stringify(failure.data).length < 16_000);
});

Deno.test("a failure stays what it is; what is no error of ours is a fault of the server", () => {
  const failure = new ToolFailure("VlmUnavailable", "no", { suggestion: "x" });
  assert.equal(toolErrorOf(failure), failure);
  assert.equal(toolErrorOf(new TypeError("x is undefined")).kind, "InternalError");
  assert.equal(toolErrorOf("a text").message, "a text");
});
