import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { BackstepError } from "../src/base/error.ts";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { baselinesOf } from "../src/operations/baseline-folder.ts";
import { openNative } from "../src/session/open-native.ts";

const APP = "gedit";

const Answer = z.looseObject({ diff_pixels: z.int(), written: z.string().optional(), waited_ms: z.number() });
const Details = z.looseObject({
  differences: z.array(z.looseObject({ elements: z.array(z.string()) })).min(1),
  artefacts: z.strictObject({ expected: z.string(), actual: z.string(), diff: z.string() }),
});

Deno.test("a GTK window is compared with its own baseline: a changed label is named, a late picture passes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backstep-visual-"));
  const session = await openNative({ kind: "isolated" });
  try {
    const kept: Uint8Array[] = [];
    const gate = new Gate({
      operations: catalogue,
      session,
      folder,
      ports: OPEN_PORTS,
      baselines: baselinesOf(folder, "missing"),
      evidence: { put: (bytes) => String(kept.push(bytes)) },
    });
    const run = async (operation: string, input: unknown) =>
      (await gate.dispatch({ operation, input }, { app: APP })).output;
    // The caret of its text blinks: what waits for a match sees it in both states.
    const compare = (more: object = {}) =>
      run("visual-diff", { baseline: "editor.png", threshold: 0, timeout: "20s", ...more });

    await run("launch", { app: "org.gnome.gedit" });
    await run("assert", { target: "window", title: "Untitled Document 1 - gedit" });
    await run("wait-idle", {});
    assert.equal(Answer.parse(await compare()).written, "missing");
    const same = Answer.parse(await compare());
    assert.deepEqual([same.written, same.diff_pixels], [undefined, 0]);

    // The label in the title bar gets an asterisk.
    await run("type", { into: "textarea:editable", text: "late" });
    await run("assert", { target: "window", title: "*Untitled Document 1 - gedit" });
    const error = await compare({ timeout: 300 }).then(() => undefined, (thrown: unknown) => thrown);
    assert.ok(error instanceof BackstepError, "it passed");
    assert.equal(error.code, "assertion", error.message);
    const { differences, artefacts } = Details.parse(error.details);
    const named = differences.flatMap(({ elements }) => elements);
    assert.ok(
      named.some((element) => element === 'label "*Untitled Document 1"'),
      `${error.message} ${named.join("; ")}`,
    );
    assert.deepEqual(Object.values(artefacts), ["1", "2", "3"]);
    assert.ok(kept.every((bytes) => bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47));

    // It matches only after the keys that are pressed while it waits.
    const waiting = compare();
    for (let action = 0; action < 3; action++) await run("press", { keys: "ctrl+z" });
    const late = Answer.parse(await waiting);
    assert.deepEqual([late.written, late.diff_pixels], [undefined, 0]);
  } finally {
    await session.close();
    rmSync(folder, { recursive: true });
  }
});
