import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { type Place, withPlace } from "./cli/program.ts";
import { assertPlain, oneJson } from "./cli/shapes.ts";

/** A command, its exit code, and what it says as text and as JSON. */
interface Case {
  readonly args: readonly string[];
  readonly code?: number;
  readonly says: RegExp;
  readonly json: RegExp;
}

const FIELD = "textfield:visible:enabled:nth(2)";

/** In this order: what one does, the next sees. Each runs three times, as text, json and quiet. */
const CASES: readonly Case[] = [
  {
    args: ["launch", "gtk3-widget-factory"],
    says: /(launched|activated) .*\(process \d+\)/,
    json: /"pid":\d+/,
  },
  { args: ["apps"], says: /widget.factory.*GTK/i, json: /^\[\{.*"accessible":true/ },
  { args: ["find", "button:enabled"], says: /button/, json: /"found":true/ },
  { args: ["find", "button", "--all", "--limit", "2"], says: /… \d+ more/, json: /"truncated":true/ },
  { args: ["find", "nonesuch"], code: 1, says: /nothing in .* matches/, json: /"found":false/ },
  { args: ["tree", "--depth", "2"], says: /^- application .*\n {2}- window/, json: /"children":\[/ },
  { args: ["set", FIELD, "Grüße, 世界"], says: /set textfield/, json: /"verified":true/ },
  { args: ["value", FIELD], says: /^Grüße, 世界\n$/, json: /"value":"Grüße, 世界"/ },
  { args: ["attributes", FIELD], says: /all_states: .*editable/, json: /"toolkit":"[Gg][Tt][Kk]/ },
  { args: ["click", "checkbox:visible:enabled:nth(2)"], says: /clicked checkbox/, json: /"method":/ },
  {
    args: ["type", "!", "--element", FIELD],
    says: /typed into textfield/,
    json: /"verified":true/,
  },
  { args: ["assert", FIELD, "--contains-text", "世界!"], says: /holds:/, json: /"passed":true/ },
  {
    args: ["assert", FIELD, "--no-enabled", "--timeout", "50ms"],
    code: 1,
    says: /enabled is true, expected false/,
    json: /"code":"assertion"/,
  },
  { args: ["assert", "--file", "/etc/hostname"], says: /holds: \/etc\/hostname/, json: /"passed":true/ },
  { args: ["focus", FIELD], says: /focused textfield/, json: /"verified":true/ },
  { args: ["press", "End", "--element", FIELD], says: /pressed keys/, json: /"method":/ },
  { args: ["scroll", "textarea:visible", "--direction", "down"], says: /scrolled/, json: /"moved":/ },
  {
    args: ["clipboard", "write", "from the command line"],
    says: /from the command line/,
    json: /"success":true/,
  },
  { args: ["explain", FIELD], says: /✓ .*\n.*matched, read as/, json: /"ready":true/ },
  { args: ["explain", "button[name=Nope]"], code: 1, says: /✗/, json: /"ready":false/ },
  { args: ["selector", FIELD], says: /^1 matched, read as selector\n {2}textfield/, json: /"count":1/ },
  { args: ["selector", "button"], code: 1, says: /^\d+ matched/, json: /"count":\d\d/ },
  {
    args: ["selector", "--at", "-9,-9"],
    code: 1,
    says: /^nothing of .* lies at -9,-9\n$/,
    json: /"elements":\[\]/,
  },
  { args: ["wait", FIELD], says: /is visible after \d+ ms/, json: /"waited_ms":/ },
  {
    args: ["wait", "dialog", "--timeout", "100ms"],
    code: 1,
    says: /nothing matches after 100 ms/,
    json: /"code":"timeout"/,
  },
  { args: ["screenshot"], says: /^1280x800\n$/, json: /"mime_type":"image\/png"/ },
  { args: ["click", "button"], code: 1, says: /\(ambiguous\)/, json: /"code":"ambiguous"/ },
  { args: ["click", "button[name="], code: 2, says: /\(selector\)/, json: /"code":"selector"/ },
  { args: ["click", FIELD, "--app", "nobody"], code: 1, says: /nobody/, json: /"code":"app_not_running"/ },
];

async function onKept(action: (place: Place, id: string) => Promise<void>): Promise<void> {
  await withPlace(async (place) => {
    const started = await place.run(["session", "start", "--format", "json"]);
    assert.equal(started.code, 0, started.err);
    const desktop = oneJson(started.out);
    assert.ok(typeof desktop === "object" && desktop !== null && "id" in desktop);
    const id = String(desktop.id);
    try {
      await action(place, id);
    } finally {
      const stopped = await place.run(["session", "stop", id]);
      assert.equal(stopped.code, 0, stopped.err);
    }
    assert.deepEqual(place.traces(), []);
  });
}

Deno.test("one-shot commands on a private desktop answer as text, as JSON and by their exit code alone", () =>
  onKept(async (place, id) => {
    for (const { args, code = 0, says, json } of CASES) {
      const words = [...args, "--session", id];
      const what = args.join(" ");
      const text = await place.run(words);
      assert.equal(text.code, code, `${what}: ${text.out}${text.err}`);
      assert.match(text.out + text.err, says, what);
      assertPlain(text.out, text.err);
      // Only what went wrong is said on standard error.
      assert.equal(text.err === "", code === 0 || text.out !== "", what);
      // Typing again would be another action.
      if (args[0] === "type") continue;
      const asJson = await place.run([...words, "--format", "json"]);
      assert.equal(asJson.code, code, `${what}: ${asJson.out}${asJson.err}`);
      oneJson(asJson.out);
      assert.match(asJson.out, json, what);
      const quiet = await place.run([...words, "--format", "quiet"]);
      assert.deepEqual([quiet.code, quiet.out, quiet.err], [code, "", ""], what);
    }
  }));

Deno.test("pictures go wherever the command line says, as real PNG files; applications rest and quit", () =>
  onKept(async (place, id) => {
    const launched = await place.run(["launch", "gtk3-widget-factory", "--session", id]);
    assert.equal(launched.code, 0, launched.err);
    const idle = await place.run(["wait-idle", "--timeout", "20s", "--quiet", "10", "--session", id]);
    assert.match(idle.out, /^idle after \d+ ms\n$/, idle.err);
    const elsewhere = join(place.folder, "else/where.png");
    const missing = await place.run(["screenshot", "--output", elsewhere, "--session", id]);
    assert.equal(missing.code, 1);
    assert.match(missing.err, /there is no folder/);
    mkdirSync(join(place.folder, "else"));
    for (
      const [output, file] of [["here.png", join(place.work, "here.png")], [elsewhere, elsewhere]] as const
    ) {
      const words = ["screenshot", "--output", output, "--session", id, "--app", "gtk3-widget-factory"];
      const finished = await place.run(words);
      assert.equal(finished.code, 0, finished.err);
      assert.ok(existsSync(file), `${finished.out} is at ${file}`);
      const picture = PNG.sync.read(readFileSync(file));
      assert.match(finished.out, new RegExp(`^${picture.width}x${picture.height} .*${output}\n$`));
      assert.ok(new Set(picture.data).size > 50, "it shows something");
    }
    const quit = await place.run(["quit", "gtk3-widget-factory", "--session", id]);
    assert.equal(quit.code, 0, quit.err);
    const apps = await place.run(["apps", "--session", id]);
    assert.match(apps.out, /no application is running/);
    const alone = await place.run(["tree", "--session", id, "--format", "json"]);
    assert.equal(alone.code, 1);
    assert.match(alone.out, /"code":"app_not_running"/);
  }));

Deno.test("an isolated one-shot command launches its application on a new desktop and ends both", () =>
  withPlace(async (place) => {
    const finished = await place.run([
      "find",
      FIELD,
      "--session",
      "isolated",
      "--app",
      "gtk3-widget-factory",
    ]);
    assert.equal(finished.code, 0, finished.err);
    assert.match(finished.out, /textfield/);
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("without a desktop to attach to, the answer says so and how to have one", () =>
  withPlace(async (place) => {
    const finished = await place.run(["apps"], { env: { XDG_RUNTIME_DIR: place.temporary } });
    assert.equal(finished.code, 1);
    assert.match(finished.err, /^Error \(no_desktop\): Cannot attach/);
    assert.match(finished.err, /isolated/);
  }));
