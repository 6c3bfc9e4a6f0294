import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { failure } from "./cli/shapes.ts";
import { ROOT, withPlace } from "./cli/program.ts";

const CALLS = JSON.stringify({
  name: "names",
  steps: [
    { tool: "launch_application", args: { bundleId: "sim.settings" } },
    { tool: "ax_set_value", args: { app: "sim.settings", query: 'textfield[name="Name"]', value: "Grace" } },
    {
      tool: "ax_assert",
      args: {
        app: "sim.settings",
        query: 'textfield[name="Name"]',
        assertions: { value: "Nobody" },
        timeout_ms: 0,
      },
      on_fail: "skip",
    },
  ],
});

const Drifted = z.object({ path: z.string(), kind: z.string(), property: z.string() });

Deno.test("convert writes a new file, which runs, and says what the other format cannot", () =>
  withPlace(async (place) => {
    place.file("calls.json", CALLS);
    const yaml = await place.run(["convert", "calls.json", "--to", "yaml", "--output", "calls.yaml"]);
    assert.equal(yaml.code, 0, yaml.err);
    assert.match(readFileSync(join(place.work, "calls.yaml"), "utf8"), /optional: true/);
    const again = await place.run(["convert", "calls.json", "--to", "yaml", "--output", "calls.yaml"]);
    assert.equal(again.code, 1);
    assert.match(again.err, /Cannot write calls\.yaml: it exists already/);
    const run = await place.run(["run", "calls.yaml", "--session", "simulated", "--format", "quiet"]);
    assert.equal(run.code, 0, run.err);
    const back = await place.run(["convert", "calls.yaml", "--to", "ax_workflow"]);
    assert.deepEqual(JSON.parse(back.out), JSON.parse(CALLS));
    const form = join(ROOT, "workflows/form.yaml");
    const refused = await place.run(["convert", form, "--to", "ax_workflow", "--format", "json"]);
    assert.equal(refused.code, 2);
    const { code, place: at, details } = failure(refused.out);
    assert.deepEqual([code, at?.line, at?.column], ["workflow", 4, 1]);
    assert.match(JSON.stringify(details), /`vars:`: ax_workflow cannot say that/);
    const none = await place.run(["convert", form]);
    assert.equal(none.code, 2);
    assert.match(none.err, /--to is needed: yaml, ts, ax_workflow/);
    const missing = await place.run(["convert", "nowhere.yaml", "--to", "ts"]);
    assert.equal(missing.code, 2);
    assert.match(missing.err, /Cannot read nowhere\.yaml: there is no such file/);
  }));

Deno.test("replay runs the arguments of ax_workflow, and names what the file says otherwise", () =>
  withPlace(async (place) => {
    const file = place.file("calls.json", CALLS);
    const replay = (...more: string[]) => place.run(["replay", file, "--session", "simulated", ...more]);
    const first = await replay("--save");
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /Wrote calls\.json\.recording\.json/);
    const same = await replay();
    assert.match(same.out, /no drift: 4 steps compared with calls\.json\.recording\.json/);
    place.file(
      "calls.json",
      CALLS.replace("Grace", "Ada L.").replace('[name=\\"Name\\"]', '[name=\\"E-mail\\"]'),
    );
    const other = await replay("--format", "json");
    assert.equal(other.code, 0, other.err);
    const { drift } = z.object({ drift: z.object({ drift: z.array(Drifted) }) }).parse(JSON.parse(other.out));
    assert.deepEqual(drift.drift.map(({ path, kind, property }) => [path, kind, property]), [[
      "1.2",
      "steps",
      "step",
    ]]);
    place.file("calls.json", CALLS.replace("Grace", "Hedy"));
    const shown = await replay();
    assert.match(shown.out, /different: value is "Hedy", recorded "Grace"/);
    assert.match(shown.out, /The workflow file was edited since it was recorded\./);
    const quiet = await replay("--format", "quiet");
    assert.deepEqual([quiet.code, quiet.out, quiet.err], [0, "", ""]);
    place.file("calls.json", CALLS.replace("Name", "Nowhere"));
    const failed = await replay("--save");
    assert.equal(failed.code, 1);
    assert.match(failed.out, /different: status is "failed", recorded "passed"/);
    assert.match(failed.err, /Not written, since the run did not pass/);
    place.file("calls.json.recording.json", '{ "version": 2 }');
    const broken = await replay();
    assert.equal(broken.code, 2);
    assert.match(broken.err, /Cannot read the recording calls\.json\.recording\.json: version/);
  }));
