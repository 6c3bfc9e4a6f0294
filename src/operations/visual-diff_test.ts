import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { UpdateMode } from "../contract/baselines.ts";
import { type Fixture, fixture } from "./_context.ts";

const Answer = z.looseObject({
  passed: z.literal(true),
  diff_pixels: z.number(),
  total_pixels: z.number(),
  ignored_pixels: z.number(),
  baseline: z.string(),
  written: z.string().optional(),
});
const KEYS = "platform=simulated&scale=1&theme=default&font=none";

async function inFolder(
  action: (desk: (update?: UpdateMode) => Fixture, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "backstep-visual-"));
  try {
    await action((update) => fixture(["sim.settings"], { folder, ...(update ? { update } : {}) }), folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const shown = { app: "sim.settings", baseline: "settings.png" };
const compare = async (desk: Fixture, more: object = {}) =>
  Answer.parse(await desk.run("visual-diff", { ...shown, threshold: 0, timeout: 0, ...more }));

Deno.test("a baseline that is missing is made under all keys of the desktop, and then compared with", () =>
  inFolder(async (open, folder) => {
    await using desk = open();
    const made = await compare(desk);
    assert.deepEqual([made.written, made.baseline], ["missing", `baseline:settings.png?${KEYS}`]);
    assert.deepEqual(await readdir(join(folder, "baselines")), [`settings@${KEYS.replaceAll("&", ",")}.png`]);
    const again = await compare(desk);
    assert.deepEqual([again.written, again.diff_pixels], [undefined, 0]);
  }));

Deno.test("where none is made, a missing baseline is a failure that says how to make it", () =>
  inFolder(async (open, folder) => {
    await using desk = open("none");
    const error = await desk.fail("visual-diff", { ...shown, timeout: 0 });
    assert.equal(error.code, "not_found");
    assert.match(error.message, /^Cannot compare with settings\.png: there is no such baseline$/);
    assert.match(error.hint ?? "", /--update-baselines missing/);
    assert.deepEqual(await readdir(folder), []);
  }));

Deno.test("a change fails with the numbers of the wire schema and the element that changed", () =>
  inFolder(async (open) => {
    await using desk = open();
    await compare(desk);
    await desk.run("set", {
      target: { selector: "textfield:nth(1)", app: "sim.settings" },
      value: "Something else",
    });
    const error = await desk.fail("visual-diff", { ...shown, threshold: 0, timeout: 0 });
    assert.equal(error.code, "assertion");
    const details = z.looseObject({
      passed: z.literal(false),
      diff_percentage: z.number().positive(),
      diff_pixels: z.int().positive(),
      total_pixels: z.int().positive(),
      differences: z.array(z.looseObject({ elements: z.array(z.string()) })),
    }).parse(error.details);
    assert.match(details.differences[0]?.elements[0] ?? "", /^button "Apply"$/);
    assert.match(error.message, /pixels differ, .* % of \d+ \(at most 0 %; waited 0 ms\): button "Apply", /);
  }));

Deno.test("what is ignored by a selector may change, and a selector that matches nothing is named", () =>
  inFolder(async (open) => {
    await using desk = open();
    await compare(desk);
    await desk.run("set", {
      target: { selector: "textfield:nth(1)", app: "sim.settings" },
      value: "Something else",
    });
    const ignore = ['button[name="Apply"]', "textfield:nth(1)"].map((selector) => ({
      selector,
      app: "sim.settings",
    }));
    const found = await compare(desk, { ignore });
    assert.ok(found.ignored_pixels > 0);
    const wrong = [{ selector: 'textfield[name="No such"]', app: "sim.settings" }];
    const error = await desk.fail("visual-diff", { ...shown, threshold: 0, timeout: 0, ignore: wrong });
    assert.match(error.hint ?? "", /not there: textfield\[name="No such"\]/);
  }));

Deno.test("`changed` writes a baseline that differs in its own place, and leaves one that does not", () =>
  inFolder(async (open, folder) => {
    await using desk = open("changed");
    assert.equal((await compare(desk, { baseline: "settings.png?theme=default" })).written, "missing");
    assert.equal((await compare(desk)).written, undefined);
    await desk.run("set", {
      target: { selector: "textfield:nth(1)", app: "sim.settings" },
      value: "Something else",
    });
    const changed = await compare(desk);
    assert.equal(changed.written, "changed");
    assert.equal((await compare(desk)).written, undefined);
    assert.equal((await readdir(join(folder, "baselines"))).length, 1);
  }));

Deno.test("another size is a failure with both sizes, never scaled", () =>
  inFolder(async (open) => {
    await using desk = open();
    const region = { x: 0, y: 0, width: 100, height: 50 };
    await compare(desk, { region });
    const error = await desk.fail("visual-diff", { ...shown, region: { ...region, height: 40 }, timeout: 0 });
    assert.equal(error.code, "assertion");
    assert.match(error.message, /it is 100x50, the picture 100x40/);
  }));

Deno.test("a picture in base64 is compared with, and one that is none is refused", () =>
  inFolder(async (open) => {
    await using desk = open("none");
    const taken = z.looseObject({ data: z.string() }).parse(
      await desk.run("screenshot", { app: "sim.settings", inline: true }),
    );
    for (const baseline of [taken.data, `data:image/png;base64,${taken.data}`]) {
      assert.equal((await compare(desk, { baseline })).baseline, "the picture given");
    }
    const cut = await desk.fail("visual-diff", { ...shown, baseline: taken.data.slice(0, 400), timeout: 0 });
    assert.equal(cut.code, "invalid");
    const other = await desk.fail("visual-diff", {
      ...shown,
      baseline: Buffer.from("GIF89a").toString("base64"),
      timeout: 0,
    });
    assert.equal(other.code, "invalid");
  }));

Deno.test("a baseline that is no picture is a clear error", () =>
  inFolder(async (open, folder) => {
    await mkdir(join(folder, "baselines"));
    await writeFile(join(folder, "baselines/settings.png"), "not a picture");
    await using desk = open();
    const error = await desk.fail("visual-diff", { ...shown, timeout: 0 });
    assert.equal(error.message, "Cannot read the picture baseline:settings.png: it is no PNG");
  }));
