import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareHome, quirksOf } from "./quirks.ts";

Deno.test("Chromium is made to show its tree, keeps to the desktop's home, and gives up its sandbox only as root", () => {
  const args = quirksOf("chromium", "/tmp/bs-x/home", false);
  assert.ok(args.includes("--force-renderer-accessibility"));
  assert.ok(args.includes("--user-data-dir=/tmp/bs-x/home/.config/chromium"));
  assert.ok(!args.includes("--no-sandbox"));
  assert.ok(quirksOf("chromium", "/tmp/bs-x/home", true).includes("--no-sandbox"));
  const large = quirksOf("chromium", "/tmp/bs-x/home", true, { scale: 2, theme: "dark" });
  assert.ok(
    large.includes("--force-device-scale-factor=2") && large.includes("--force-dark-mode"),
    large.join(" "),
  );
});

Deno.test("most programs get nothing", () => {
  assert.deepEqual(quirksOf("gedit", "/home", true), []);
});

for (const program of ["firefox-esr", "thunderbird"]) {
  Deno.test(`${program} gets a profile of its own in the desktop's home; one that is there already is left alone`, () => {
    const home = mkdtempSync(join(tmpdir(), "bs-home-"));
    try {
      const [option, profile = ""] = quirksOf(program, home);
      assert.equal(option, "--profile");
      assert.ok(profile.startsWith(home));
      prepareHome(program, home);
      const file = join(profile, "user.js");
      assert.match(readFileSync(file, "utf8"), /^user_pref\("accessibility.force_disabled", -1\);$/m);
      writeFileSync(file, "// mine\n");
      prepareHome(program, home);
      assert.equal(readFileSync(file, "utf8"), "// mine\n");
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
}
