import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { failure, runResult } from "./cli/shapes.ts";
import { type Place, ROOT, withPlace } from "./cli/program.ts";

const FIXTURES = join(ROOT, "tests/fixtures/environment");
const TOOLKITS = [["gtk3", "gtk3.py"], ["gtk4", "gtk4.py"], ["qt5", "qt.py", "PyQt5"], [
  "qt6",
  "qt.py",
  "PyQt6",
]];

/** What the fixtures write down of themselves. */
const Account = z.object({
  direction: z.string(),
  translated: z.string(),
  dark: z.boolean(),
  scale: z.number(),
  dpi: z.number(),
  monitors: z.array(z.array(z.number())),
  locale: z.string(),
  greeting: z.string().nullable(),
});

/** A workflow that launches one fixture of each toolkit; each writes its account into the folder of the test. */
function launching(place: Place, desktop: string, more = "", greeting = "hello"): string {
  const steps = TOOLKITS.map(([name = "", ...args]) => {
    const words = [join(FIXTURES, args[0] ?? ""), ...args.slice(1)];
    const env = { ACCOUNT: join(place.work, `${name}.json`), GREETING: greeting };
    return `  - launch: ${JSON.stringify({ app: "/usr/bin/python3", args: words, env })}\n`;
  });
  return `name: Surroundings\nsession: isolated\n${desktop}\nsteps:\n${steps.join("")}${more}`;
}

/** The accounts by toolkit, once all are written: each run ends after its last launch, perhaps before its last idle call. */
function accounts(place: Place): Record<string, z.infer<typeof Account>> {
  return Object.fromEntries(TOOLKITS.map(([name = ""]) => {
    const file = join(place.work, `${name}.json`);
    assert.ok(existsSync(file), `${name} wrote nothing down`);
    return [name, Account.parse(JSON.parse(readFileSync(file, "utf8")))];
  }));
}

/** A step that waits until every fixture has written its account. */
const WRITTEN = TOOLKITS.map(([name]) => `  - assert: { file: ${name}.json, exists: true }\n`).join("");

const hebrew = existsSync("/usr/share/locale/he/LC_MESSAGES/gtk30.mo") &&
  (existsSync("/usr/share/i18n/locales/he_IL") ||
    execFileSync("locale", ["-a"], { encoding: "utf8" }).includes("he_IL"));

Deno.test({
  name: hebrew
    ? "GTK 3, GTK 4, Qt 5 and Qt 6 say themselves that they are right to left, dark and twice as large"
    : "right to left: neither the locale he_IL nor its sources (package locales) and GTK's Hebrew texts are here",
  ignore: !hebrew,
  fn: () =>
    withPlace(async (place) => {
      const desktop = "desktop: { size: 2560x1600, scale: 2, locale: he_IL.UTF-8, theme: dark }";
      place.file("rtl.yaml", launching(place, desktop, WRITTEN));
      const finished = await place.run(["run", "rtl.yaml", "--format", "json"]);
      assert.equal(finished.code, 0, finished.out + finished.err);
      const reported = accounts(place);
      for (const [name, { direction, dark, scale, locale, greeting, monitors }] of Object.entries(reported)) {
        assert.deepEqual(
          { direction, dark, scale, locale, greeting, monitors },
          {
            direction: "rtl",
            dark: true,
            scale: 2,
            locale: "he_IL.UTF-8",
            greeting: "hello",
            monitors: [[0, 0, 1280, 800]],
          },
          name,
        );
      }
      // Nobody asked for dots: KDE's applications would scale themselves by any other number.
      assert.equal(reported["qt5"]?.dpi, 96);
      assert.deepEqual([reported["gtk3"]?.translated, reported["qt6"]?.translated], ["_ביטול", "יום שני"]);
      assert.deepEqual(place.traces(), []);
    }),
});

Deno.test("monitors and dots an inch of the command line go before those of the file; nothing else is set", () =>
  withPlace(async (place) => {
    place.file("two.yaml", launching(place, "desktop: { dpi: 96, theme: light }", WRITTEN));
    const args = ["--monitor", "1280x800", "--monitor", "1024x768", "--dpi", "144", "--format", "json"];
    const finished = await place.run(["run", "two.yaml", ...args]);
    assert.equal(finished.code, 0, finished.out + finished.err);
    const { gtk3, gtk4, qt5, qt6 } = accounts(place);
    assert.ok(gtk3 && gtk4 && qt5 && qt6);
    for (const { direction, dark, locale } of [gtk3, gtk4, qt5, qt6]) {
      assert.deepEqual({ direction, dark, locale }, { direction: "ltr", dark: false, locale: "C.UTF-8" });
    }
    assert.deepEqual([gtk3.dpi, gtk4.dpi, qt5.dpi], [144, 144, 144]);
    // Qt 6 makes a scale of the dots; its sizes are in its own pixels.
    assert.deepEqual([qt6.scale, qt6.dpi], [1.5, 96]);
    assert.deepEqual(qt6.monitors, [[0, 0, 853, 533], [1280, 0, 683, 512]]);
    // Xvfb has one output: GTK passes over monitors without one, Qt 5 asks for outputs alone.
    assert.deepEqual([gtk3.monitors, gtk4.monitors], [[[0, 0, 1280, 800]], [[0, 0, 1280, 800]]]);
  }));

Deno.test("a secret in the environment of a launch reaches the application, and nothing that is written down", () =>
  withPlace(async (place) => {
    const secret = "sesame-4711-open";
    const steps = `  - press: { keys: F5, app: gtk3.py }\n`;
    const file = launching(place, "secrets: [PASSWORD]", WRITTEN + steps, "{{secrets.PASSWORD}}");
    place.file("secret.yaml", file);
    const finished = await place.run(["run", "secret.yaml", "--evidence", "on"], {
      env: { PASSWORD: secret },
    });
    assert.equal(finished.code, 0, finished.out + finished.err);
    assert.equal(accounts(place)["gtk3"]?.greeting, secret);
    assert.ok(!(finished.out + finished.err).includes(secret));
    const found = execFileSync("sh", ["-c", `grep -rlaF '${secret}' '${place.state}' || true`], {
      encoding: "utf8",
    });
    assert.equal(found, "");
  }));

Deno.test("of several that one word launched, each is rolled back by itself", () =>
  withPlace(async (place) => {
    const fails = "  - assert: { target: 'button[name=\"None\"]', exists: true, timeout: 100ms }\n";
    place.file("back.yaml", launching(place, "", WRITTEN + fails));
    const finished = await place.run(["run", "back.yaml", "--format", "json"]);
    assert.equal(finished.code, 1, finished.out + finished.err);
    const { rollback } = runResult(finished.out);
    assert.deepEqual([rollback.verdict, rollback.drift], ["restored", []]);
  }));

Deno.test("what cannot be set is refused at its place in the file, before any desktop is opened", () =>
  withPlace(async (place) => {
    const env = (name: string) =>
      place.file(
        "env.yaml",
        `name: n\nsteps:\n  - launch:\n      app: gedit\n      env:\n        ${name}: x\n`,
      );
    for (
      const name of [
        "DISPLAY",
        "DBUS_SESSION_BUS_ADDRESS",
        "HOME",
        "XDG_CONFIG_HOME",
        "LD_PRELOAD",
        "BACKSTEP_DESKTOP",
      ]
    ) {
      env(name);
      const finished = await place.run(["run", "env.yaml"]);
      assert.equal(finished.code, 2, name);
      assert.match(
        finished.err,
        new RegExp(`env\\.yaml:6:\\d+: launch\\.env\\.${name}: it cannot be set for a launch: `),
      );
    }
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("a desktop that was kept has its settings, and is not used as one with others", () =>
  withPlace(async (place) => {
    const started = await place.run([
      "session",
      "start",
      "--locale",
      "C.UTF-8",
      "--theme",
      "dark",
      "--format",
      "json",
    ]);
    assert.equal(started.code, 0, started.err);
    const { id } = z.object({ id: z.string() }).parse(JSON.parse(started.out));
    try {
      place.file("dark.yaml", launching(place, "desktop: { theme: dark }", WRITTEN));
      const same = await place.run(["run", "dark.yaml", "--session", id, "--format", "json"]);
      assert.equal(same.code, 0, same.out + same.err);
      assert.equal(runResult(same.out).status, "passed");
      assert.deepEqual(Object.values(accounts(place)).map(({ dark }) => dark), [true, true, true, true]);
      const factory = ["launch", "gtk3-widget-factory", "--session", id, "--format", "json"];
      for (const code of [0, 0]) {
        assert.equal((await place.run([...factory, "--env", "COLOUR=red"])).code, code);
      }
      const blue = await place.run([...factory, "--env", "COLOUR=blue"]);
      assert.equal(blue.code, 1);
      assert.match(failure(blue.out).message, /with COLOUR: it runs already, with another environment$/);
      const other = await place.run([
        "run",
        "dark.yaml",
        "--session",
        id,
        "--theme",
        "light",
        "--format",
        "json",
      ]);
      assert.notEqual(other.code, 0);
      assert.match(failure(other.out).message, /its theme is dark, not light$/);
    } finally {
      await place.run(["session", "stop", id, "--force"]);
    }
    assert.deepEqual(place.traces(), []);
  }));
