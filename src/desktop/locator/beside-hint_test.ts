import assert from "node:assert/strict";
import { buildSnapshot } from "../build.ts";
import { parseSelector } from "../selector/parse.ts";
import { besideHint } from "./beside-hint.ts";

const at = (x: number, y: number) => ({ x, y, width: 90, height: 20 });
const snapshot = buildSnapshot({
  role: "dialog",
  rect: { x: 0, y: 0, width: 300, height: 100 },
  children: [
    { role: "label", name: "Search for: ", path: "/search", rect: at(0, 0) },
    {
      role: "comboBox",
      rect: at(100, 0),
      relations: { 2: ["/search"] },
      children: [{ role: "entry", rect: at(100, 0) }],
    },
    { role: "label", name: "Count", rect: at(0, 50) },
    { role: "slider", rect: at(100, 50) },
  ],
}, { bus: ":1.5", name: "app", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" });

function hint(selector: string): string {
  const conditions = parseSelector(selector).paths[0]?.steps.at(-1)?.conditions ?? [];
  return besideHint(snapshot, conditions, { from: 0, to: snapshot.size });
}

Deno.test("why nothing is labelled by a name or stands beside it is told", () => {
  assert.equal(
    hint('textfield:labelled-by("Search for: ")'),
    'What :labelled-by("Search for: ") means is combobox; the textfield in it is combobox:labelled-by("Search for: ") textfield.',
  );
  assert.equal(hint('button:in-row("Count")'), 'What :in-row("Count") means is slider, no button.');
  assert.equal(
    hint('textfield:labelled-by("Search for:")'),
    'Nothing is called exactly "Search for:"; there is "Search for: ".',
  );
  assert.equal(
    hint('slider:labelled-by("Count")'),
    'The application does not tell what "Count" labels: try :in-row("Count").',
  );
});

Deno.test("where the type is beside it, or nothing of the kind is asked, nothing is told", () => {
  assert.equal(hint('slider:in-row("Count"):disabled'), "");
  assert.equal(hint('button[name="Count"]'), "");
});
