import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
// @ts-types="../checks/visual/pngjs.d.ts"
import { PNG } from "pngjs";
import { z } from "zod";
import { fixture } from "./_context.ts";
import { encodePng } from "./png.ts";

const Shot = z.looseObject({
  width: z.number(),
  height: z.number(),
  path: z.string().optional(),
  data: z.string().optional(),
});

Deno.test("a frame survives being encoded", () => {
  const rgba = new Uint8Array([1, 2, 3, 255, 250, 251, 252, 255]);
  const png = PNG.sync.read(Buffer.from(encodePng({ width: 2, height: 1, rgba })));
  assert.deepEqual([png.width, png.height, ...png.data], [2, 1, ...rgba]);
});

Deno.test("a screenshot goes to a file below the folder, and only there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "backstep-shot-"));
  try {
    await using desk = fixture(["sim.settings"], { folder });
    const missing = await desk.fail("screenshot", { app: "sim.settings", path: "shots/one.png" });
    assert.equal(missing.code, "io");
    assert.match(missing.message, /^Cannot write shots\/one\.png: there is no folder shots$/);
    await mkdir(join(folder, "shots"));
    const shot = Shot.parse(await desk.run("screenshot", { app: "sim.settings", path: "shots/one.png" }));
    const png = PNG.sync.read(await readFile(join(folder, "shots/one.png")));
    assert.deepEqual([png.width, png.height], [shot.width, shot.height]);
    assert.equal(shot.data, undefined);
    assert.equal((await desk.fail("screenshot", { path: "../one.png" })).code, "invalid");
    assert.match(
      (await desk.fail("screenshot", { path: "shots" })).message,
      /^Cannot write shots: it is a folder/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

Deno.test("a link that leads to nothing yet does not lead out of the folder", async () => {
  const [folder, outside] = [
    await mkdtemp(join(tmpdir(), "backstep-in-")),
    await mkdtemp(join(tmpdir(), "out-")),
  ];
  try {
    await using desk = fixture(["sim.settings"], { folder });
    await symlink(join(outside, "new.png"), join(folder, "out.png"));
    await symlink("out.png", join(folder, "twice.png"));
    await symlink("circle.png", join(folder, "circle.png"));
    await symlink("in.png", join(folder, "fine.png"));
    for (const path of ["out.png", "twice.png"]) {
      assert.equal((await desk.fail("screenshot", { path })).code, "invalid", path);
    }
    const circle = await desk.fail("screenshot", { path: "circle.png" });
    assert.match(circle.message, /^Cannot write circle.png: its symbolic links go in a circle/);
    await desk.run("screenshot", { path: "fine.png" });
    assert.ok((await readdir(folder)).includes("in.png"));
    assert.deepEqual(await readdir(outside), []);
  } finally {
    await rm(folder, { recursive: true });
    await rm(outside, { recursive: true });
  }
});

Deno.test("an element, a region and the whole screen are pictured in their own size", async () => {
  await using desk = fixture(["sim.settings"]);
  const sizes = async (input: unknown) => {
    const { width, height } = Shot.parse(await desk.run("screenshot", input));
    return [width, height];
  };
  assert.deepEqual(await sizes({}), [1280, 800]);
  assert.deepEqual(await sizes({ app: "sim.settings", region: { x: 5, y: 5, width: 40, height: 30 } }), [
    40,
    30,
  ]);
  assert.deepEqual(await sizes({ target: "slider" }), [320, 28]);
  assert.ok(Shot.parse(await desk.run("screenshot", { target: "slider", inline: true })).data);
});
