import assert from "node:assert/strict";
import { missingFor } from "../scripts/action-names/stage.ts";
import { replay } from "../scripts/recordings/replay.ts";
import { recordSession } from "../scripts/recordings/session.ts";

/** What Qt does not tell as others do: menus outside of its tree, dates without a number, and a window that is not aware of the keyboard. */
const KINDS = ["context menu", "date", "file chooser", "back by tab"];
/** By it, each of them is done once, and then "Save" is clicked. */
const SEED = 56;

const missing = missingFor("qt5");

Deno.test({
  name: "context menus and dates of Qt, and what is typed after its file chooser, are recorded and replay",
  ignore: missing !== undefined,
}, async () => {
  const { trials, yaml, account, windows } = await recordSession("qt5", SEED, KINDS.length + 1, KINDS);
  assert.deepEqual(trials.map(({ plan }) => plan.kind).sort(), [...KINDS, "button"].sort());
  for (const { plan, verdict, lines, steps } of trials) {
    assert.equal(verdict, "right", `${plan.kind}: ${JSON.stringify({ lines, steps })}`);
  }
  assert.match(yaml, /menuitem\[name="Re(?:name|move)"\]/);
  assert.match(yaml, /spinbutton\[name="Due"\]', value: ['"]?20/);
  const { result, outcome, wanted } = await replay("qt5", yaml, account, windows);
  assert.equal(result.status, "passed", JSON.stringify(result.error));
  assert.deepEqual(outcome, wanted);
});
