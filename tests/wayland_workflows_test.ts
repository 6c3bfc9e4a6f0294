import assert from "node:assert/strict";
import { join } from "node:path";
import { asMap, toJson } from "../src/base/json.ts";
import { oneJson } from "./cli/shapes.ts";
import { ROOT, withPlace } from "./cli/program.ts";
import { isInstalled, isWholeRun } from "./_installed.ts";
import { comparableJson, fieldsThatDiffer, recordedResult } from "./_results.ts";

/** The forms that a whole run fills on Wayland; the others are for `deno task nightly --only wayland-forms`. */
const CHOSEN = ["form-rollback.yaml", "gtk4-form-rollback.yaml"];

/** Each form with its rollback, as docs/reference/toolkits.md claims them. */
const FORMS = [
  { claim: "gtk3/wayland-form", method: "form.yaml" },
  { claim: "gtk3/wayland-rollback", method: "form-rollback.yaml" },
  { claim: "gtk4/wayland-form", method: "gtk4-form.yaml" },
  { claim: "gtk4/wayland-rollback", method: "gtk4-form-rollback.yaml" },
  { claim: "qt5/wayland-form", method: "qt-form.yaml" },
  { claim: "qt5/wayland-rollback", method: "qt-form-rollback.yaml" },
  { claim: "qt6/wayland-form", method: "qt6-form.yaml" },
  { claim: "qt6/wayland-rollback", method: "qt6-form-rollback.yaml" },
  { claim: "chromium/wayland-form", method: "browser-form.yaml" },
  { claim: "chromium/wayland-rollback", method: "browser-form-rollback.yaml" },
];

/** The program that a form fills, by how its file begins. */
const NEEDS: readonly (readonly [start: string, program: string])[] = [
  ["form", "/usr/bin/gtk3-widget-factory"],
  ["gtk4-form", "/usr/bin/gtk4-widget-factory"],
  ["qt-form", "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/gallery/gallery"],
  ["qt6-form", "/usr/bin/qt6ct"],
  ["browser-form", "/usr/bin/chromium"],
];

/**
 * No part of a verdict: which buttons a failed look-up names (sway has windows without "Minimize"), and what a busy machine had no
 * time to look at.
 */
const BESIDE = /^(?:steps\[\d+\]\.)?error\.(?:hint|details\.candidates\[\d+\]): |^rollback\.beside/;

for (const { method: name } of FORMS) {
  const chosen = !isWholeRun() || CHOSEN.includes(name);
  const needs = NEEDS.find(([start]) => name.startsWith(start))?.[1] ?? "";
  const why = !chosen ? ": nightly" : isInstalled(needs) ? "" : `: not run, ${needs} is missing`;
  Deno.test({
    name: `workflows/${name} ends on Wayland as on X11${why}`,
    ignore: why !== "",
    fn: () => endsAsOnX11(name),
  });
}

/** Runs a file by the command line; exit code, verdicts and results must be those that X11 is held to. */
async function endsAsOnX11(name: string): Promise<void> {
  await withPlace(async (place) => {
    const file = join(ROOT, "workflows", name);
    const { code, out, err } = await place.run(
      ["run", file, "--session", "isolated", "--display", "wayland", "--format", "json"],
      { cwd: ROOT, timeout: 120_000 },
    );
    const result = toJson(oneJson(out));
    // It was Wayland: a flag that is overlooked would pass as X11.
    assert.match(JSON.stringify(asMap(result)["desktop"] ?? err), /"wayland:/);
    const onX11 = recordedResult(name);
    assert.deepEqual(
      fieldsThatDiffer(onX11, comparableJson(result)).filter((field) => !BESIDE.test(field)),
      [],
    );
    assert.equal(code, asMap(onX11)["exit"], err);
    assert.deepEqual(place.traces(), []);
  });
}
