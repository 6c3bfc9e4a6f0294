import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import { openFailure } from "./open-failure.ts";

const said = (text: string) =>
  new BackstepError("missing", `Cannot run open: ${text}`, { details: { program: "open", exit: 1 } });

Deno.test("what Launch Services answer is an error with its code, its number and what to do", () => {
  const rows = [
    [
      "Unable to find application named 'Nobody'",
      "app_not_found",
      undefined,
      /no such application/,
      /backstep apps/,
    ],
    [
      "_LSOpenURLsWithCompletionHandler() failed with error -10810.",
      "launch_failed",
      -10810,
      /not be started/,
      /Finder/,
    ],
    ["kLSExecutableIncorrectFormat: -10661", "launch_failed", -10661, /another processor/, /this Mac/],
    [
      "The application cannot be opened because its executable is missing. -10827",
      "launch_failed",
      -10827,
      /started/,
      /Finder/,
    ],
    ["Operation not permitted", "launch_failed", undefined, /not permit/, /Privacy/],
    ["something new", "launch_failed", undefined, /something new/, undefined],
  ] as const;
  for (const [text, code, status, what, hint] of rows) {
    const error = openFailure("/Applications/X.app", said(text));
    assert.equal(error.code, code, text);
    assert.match(error.message, what);
    assert.deepEqual([error.details?.["status"], error.details?.["exit"]], [status, 1]);
    if (hint === undefined) assert.equal(error.hint, undefined);
    else assert.match(error.hint ?? "", hint);
  }
});

Deno.test("numbers that only begin alike are none of those, and a passed deadline stays one", () => {
  assert.match(openFailure("/X.app", said("error -5432")).message, /error -5432/);
  assert.match(openFailure("/X.app", said("error -1081")).message, /error -1081/);
  const late = new BackstepError("timeout", "Cannot run open: in time");
  assert.equal(openFailure("/X.app", late), late);
});
