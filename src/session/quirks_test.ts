import assert from "node:assert/strict";
import { quirksOf } from "./quirks.ts";

Deno.test("Chromium is made to show its tree, keeps to the desktop's home, and gives up its sandbox only as root", () => {
  const args = quirksOf("chromium", "/tmp/bs-x/home", false);
  assert.ok(args.includes("--force-renderer-accessibility"));
  assert.ok(args.includes("--user-data-dir=/tmp/bs-x/home/.config/chromium"));
  assert.ok(!args.includes("--no-sandbox"));
  assert.ok(quirksOf("chromium", "/tmp/bs-x/home", true).includes("--no-sandbox"));
});

Deno.test("most programs get nothing", () => {
  assert.deepEqual(quirksOf("gedit", "/home", true), []);
});
