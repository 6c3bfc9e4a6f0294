import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { baselineFile, baselineUri, keyValue, pinnedTo, readBaselineName } from "./baseline-name.ts";
import { fallbacks, writesBaseline } from "./baselines.ts";

Deno.test("a baseline has one URI and one file, whichever way it was written", () => {
  for (
    const [given, uri, file] of [
      ["editor.png", "baseline:editor.png", "editor.png"],
      ["baseline:editor.png", "baseline:editor.png", "editor.png"],
      [
        "baseline:a/b c.png?theme=Adwaita&scale=2",
        "baseline:a/b c.png?scale=2&theme=Adwaita",
        "a/b c@scale=2,theme=Adwaita.png",
      ],
      [
        "Grüße.tree.yaml?platform=linux",
        "baseline:Grüße.tree.yaml?platform=linux",
        "Grüße@platform=linux.tree.yaml",
      ],
    ] as const
  ) {
    const name = readBaselineName(given);
    assert.equal(baselineUri(name), uri);
    assert.equal(baselineFile(name), file);
  }
});

Deno.test("a name that leads out, is hidden, or is of no known kind is refused", () => {
  for (
    const given of [
      "../a.png",
      "a/../../b.png",
      "/etc/a.png",
      "a//b.png",
      ".a.png",
      "a@scale=2.png",
      "a.jpg",
      "a\0.png",
      "a\\b.png",
      ".png",
      "x/.tree.yaml",
      "a.png?scale=",
      "a.png?size=2",
      "a.png?scale=2&scale=3",
      "a.png?scale=../2",
      "baseline:",
      `${"a".repeat(300)}.png`,
    ]
  ) {
    assert.throws(
      () => readBaselineName(given),
      (thrown) => thrown instanceof BackstepError && thrown.code === "invalid",
      given,
    );
  }
});

Deno.test("fall-back gives up the font first and the platform last, and never what is pinned", () => {
  const keys = { platform: "linux", scale: "2", theme: "Dark", font: "Sans" };
  const words = (pinned: object) => fallbacks(keys, pinned).map((v) => Object.values(v).join(" "));
  assert.deepEqual(words({}).slice(0, 6), [
    "linux 2 Dark Sans",
    "linux 2 Dark",
    "linux 2 Sans",
    "linux 2",
    "linux Dark Sans",
    "linux Dark",
  ]);
  assert.equal(words({}).length, 16);
  assert.equal(words({}).at(-1), "");
  assert.deepEqual(words({ scale: "1", theme: "Light", font: "Serif" }), [
    "linux 1 Light Serif",
    "1 Light Serif",
  ]);
  assert.deepEqual(pinnedTo({ scale: "1" }, keys), { ...keys, scale: "1" });
});

Deno.test("what a desktop says becomes the value of a key", () => {
  assert.equal(keyValue(" Noto Sans 11 "), "Noto-Sans-11");
  assert.equal(keyValue("../../x"), "..-..-x");
  assert.equal(keyValue("//"), undefined);
});

Deno.test("none writes nothing, missing what is not there, changed what differs, all everything", () => {
  const table = (["none", "missing", "changed", "all"] as const).map((mode) =>
    (["missing", "differs", "same"] as const).map((found) => writesBaseline(mode, found) ? "w" : "-").join("")
  );
  assert.deepEqual(table, ["---", "w--", "ww-", "www"]);
});
