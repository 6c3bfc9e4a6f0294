import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BackstepError } from "../base/error.ts";
import { baselinesOf, usualUpdateMode } from "./baseline-folder.ts";

const LINUX = { platform: "linux", scale: "1", theme: "default", font: "Sans" };
const bytes = (text: string) => new TextEncoder().encode(text);

async function inFolder(action: (root: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "backstep-baselines-"));
  try {
    await action(root);
  } finally {
    await rm(root, { recursive: true });
  }
}

Deno.test("what was stored is found under its keys, and without them when it has none", () =>
  inFolder(async (root) => {
    const baselines = baselinesOf(root, "missing");
    assert.equal(await baselines.find("a.png", LINUX), undefined);
    const stored = await baselines.store("deep/a.png", { platform: "linux", scale: "2" }, bytes("two"));
    assert.equal(stored.uri, "baseline:deep/a.png?platform=linux&scale=2");
    assert.equal(await baselines.find("deep/a.png", LINUX), undefined);
    const found = await baselines.find("deep/a.png", { ...LINUX, scale: "2" });
    assert.equal(new TextDecoder().decode(found?.bytes), "two");
    assert.equal(found?.uri, stored.uri);
    await baselines.store("deep/a.png", {}, bytes("any"));
    assert.equal((await baselines.find("deep/a.png", LINUX))?.uri, "baseline:deep/a.png");
    assert.equal((await baselines.find("deep/a.png?scale=2", LINUX))?.uri, stored.uri);
    await baselines.store("deep/a.png", { platform: "linux", scale: "2" }, bytes("again"));
    assert.deepEqual((await readdir(join(root, "baselines/deep"))).sort(), [
      "a.png",
      "a@platform=linux,scale=2.png",
    ]);
  }));

Deno.test("no symbolic link leads out of the folder, neither to read nor to write", () =>
  inFolder(async (root) => {
    const baselines = baselinesOf(root, "all");
    await mkdir(join(root, "baselines"));
    await mkdir(join(root, "outside"));
    await writeFile(join(root, "secret.png"), "secret");
    await symlink("../secret.png", join(root, "baselines/a.png"));
    await symlink("../outside", join(root, "baselines/out"));
    const outside = (thrown: unknown) =>
      thrown instanceof BackstepError && thrown.code === "invalid" && /outside/.test(thrown.message);
    await assert.rejects(baselines.find("a.png", {}), outside);
    await assert.rejects(baselines.store("a.png", {}, bytes("x")), outside);
    await assert.rejects(baselines.store("out/a.png", {}, bytes("x")), outside);
    assert.equal(await readFile(join(root, "secret.png"), "utf8"), "secret");
    assert.deepEqual(await readdir(join(root, "outside")), []);
  }));

Deno.test("missing baselines are made at home and never where CI says so", () => {
  assert.equal(usualUpdateMode(() => undefined), "missing");
  assert.equal(usualUpdateMode((name) => name === "CI" ? "true" : undefined), "none");
});
