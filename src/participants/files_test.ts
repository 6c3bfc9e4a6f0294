import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../base/call.ts";
import { isMap } from "../base/json.ts";
import { differences, type Image, type Participant, type PartlyRestored } from "../contract/participant.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { filesOf } from "./files.ts";
import type { FileLimits } from "./declared-file.ts";

class Memory {
  readonly kept = new Map<string, Uint8Array>();
  put(bytes: Uint8Array): string {
    const name = new TextDecoder("latin1").decode(bytes);
    this.kept.set(name, bytes.slice());
    return name;
  }
  get(name: string): Uint8Array {
    const bytes = this.kept.get(name);
    assert.ok(bytes, `${name} was not kept`);
    return bytes;
  }
}

interface Fixture {
  readonly folder: string;
  readonly store: Memory;
  readonly protect: (name: string, limits?: FileLimits) => Participant;
  readonly capture: (participant: Participant) => Promise<Image>;
  readonly restore: (participant: Participant, image: Image) => Promise<string | PartlyRestored>;
}

async function fixture(test: (fixture: Fixture) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-files-"));
  const desktop = simulate({ clock: "virtual" });
  const store = new Memory();
  try {
    await test({
      folder,
      store,
      protect: (name, limits) =>
        filesOf({ given: name, path: join(folder, name), store, late: false, ...(limits ? { limits } : {}) }),
      capture: (participant) => participant.capture(desktop, {}),
      restore: (participant, image) => participant.restore(image, desktop, {}),
    });
  } finally {
    await desktop.close();
    rmSync(folder, { recursive: true });
  }
}

Deno.test("a file that was changed, one that was removed and one that came are restored: content, mode, absence", () =>
  fixture(async ({ folder, protect, capture, restore }) => {
    const docs = join(folder, "docs");
    mkdirSync(join(docs, "sub"), { recursive: true });
    writeFileSync(join(docs, "a.txt"), "Grüße", { mode: 0o640 });
    writeFileSync(join(docs, "sub", "b.bin"), new Uint8Array([0, 255, 10]));
    symlinkSync("a.txt", join(docs, "link"));
    chmodSync(join(docs, "sub"), 0o750);
    const files = protect("docs");
    const before = await capture(files);
    assert.deepEqual(Object.keys(before.properties), [".", "a.txt", "link", "sub", "sub/b.bin"]);

    writeFileSync(join(docs, "a.txt"), "changed");
    chmodSync(join(docs, "a.txt"), 0o600);
    rmSync(join(docs, "sub"), { recursive: true });
    rmSync(join(docs, "link"));
    writeFileSync(join(docs, "link"), "now a file");
    mkdirSync(join(docs, "new", "deep"), { recursive: true });
    writeFileSync(join(docs, "new", "deep", "c.txt"), "c");
    const after = await capture(files);
    assert.deepEqual(
      differences("", before, after).map((d) => d.property),
      ["a.txt", "link", "new", "new/deep", "new/deep/c.txt", "sub", "sub/b.bin"],
    );

    assert.deepEqual(await restore(files, before), { method: "files", left: {} });
    assert.deepEqual(differences("", before, await capture(files)), []);
    assert.equal(readFileSync(join(docs, "a.txt"), "utf8"), "Grüße");
    assert.equal(lstatSync(join(docs, "a.txt")).mode & 0o777, 0o640);
    assert.equal(lstatSync(join(docs, "sub")).mode & 0o777, 0o750);
    assert.equal(readlinkSync(join(docs, "link")), "a.txt");
    assert.equal(existsSync(join(docs, "new")), false);
  }));

Deno.test("a file that was not there goes again, and one of the same size and another content is seen", () =>
  fixture(async ({ folder, protect, capture, restore }) => {
    const file = join(folder, "notes.txt");
    const notes = protect("notes.txt");
    const absent = await capture(notes);
    assert.deepEqual(absent.properties, { ".": null });
    writeFileSync(file, "one");
    const one = await capture(notes);
    writeFileSync(file, "two");
    assert.equal(differences("", one, await capture(notes)).length, 1);
    await restore(notes, one);
    assert.equal(readFileSync(file, "utf8"), "one");
    await restore(notes, absent);
    assert.equal(existsSync(file), false);
  }));

Deno.test("a link in a declared folder is never followed", () =>
  fixture(async ({ folder, protect, capture, restore }) => {
    mkdirSync(join(folder, "docs"));
    mkdirSync(join(folder, "outside"));
    writeFileSync(join(folder, "outside", "mine"), "mine");
    const docs = protect("docs");
    const before = await capture(docs);
    symlinkSync(join(folder, "outside"), join(folder, "docs", "out"));
    assert.deepEqual(Object.keys((await capture(docs)).properties), [".", "out"]);
    await restore(docs, before);
    assert.equal(readFileSync(join(folder, "outside", "mine"), "utf8"), "mine");
    assert.equal(existsSync(join(folder, "docs", "out")), false);
  }));

Deno.test("what is larger than what is kept is seen to change, said to be lost, and left alone", () =>
  fixture(async ({ folder, store, protect, capture, restore }) => {
    writeFileSync(join(folder, "big"), "x".repeat(100));
    const big = protect("big", { file: 50 });
    const before = await capture(big);
    assert.deepEqual(Object.values(before.unrestorable ?? {}), ["it is larger than what is kept"]);
    assert.equal(store.kept.size, 0);
    writeFileSync(join(folder, "big"), "y".repeat(101));
    assert.equal(differences("", before, await capture(big)).length, 1);
    await restore(big, before);
    assert.equal(readFileSync(join(folder, "big"), "utf8"), "y".repeat(101));
  }));

Deno.test("of a folder with more files than are kept nothing is removed", () =>
  fixture(async ({ folder, protect, capture, restore }) => {
    mkdirSync(join(folder, "docs"));
    for (const name of ["a", "b", "c", "d"]) writeFileSync(join(folder, "docs", name), name);
    const docs = protect("docs", { count: 3 });
    const before = await capture(docs);
    assert.match(before.unrestorable?.["…"] ?? "", /more than 3/);
    writeFileSync(join(folder, "docs", "e"), "e");
    await restore(docs, before);
    for (const name of ["a", "b", "c", "d", "e"]) assert.ok(existsSync(join(folder, "docs", name)), name);
  }));

Deno.test("content that did not change is read once", () =>
  fixture(async ({ folder, store, protect, capture }) => {
    writeFileSync(join(folder, "a"), "a");
    const a = protect("a");
    // A file that was written just now is not believed to be done with: it is read until it is older than a look at it.
    const patience = Deadline.after(5_000);
    for (;;) {
      store.kept.clear();
      const state = (await capture(a)).properties["."];
      assert.ok(isMap(state) && state["content"] === "a" && state["size"] === 1 && state["mode"] === 0o644);
      if (store.kept.size === 0) break;
      assert.ok(!patience.passed, "it was read every time");
    }
  }));

Deno.test("what somebody writes between the look and the rollback is not overwritten, and nothing of theirs goes", () =>
  fixture(async ({ folder, protect, capture, restore }) => {
    mkdirSync(join(folder, "docs"));
    const docs = protect("docs");
    const before = await capture(docs);
    writeFileSync(join(folder, "docs", "ours"), "ours");
    await capture(docs);
    writeFileSync(join(folder, "docs", "theirs"), "theirs");
    await assert.rejects(restore(docs, before), /Cannot restore docs: it was changed just now/);
    assert.deepEqual(readdirSync(join(folder, "docs")), ["ours", "theirs"]);
  }));

Deno.test("a folder above it that has become a link leads nowhere: nothing outside is read or written", () =>
  fixture(async ({ folder, protect, capture, restore }) => {
    mkdirSync(join(folder, "outside"));
    writeFileSync(join(folder, "outside", "mine"), "mine");
    const mine = protect("docs/mine");
    const before = await capture(mine);
    assert.deepEqual(before.properties, { ".": null });
    symlinkSync(join(folder, "outside"), join(folder, "docs"));
    await assert.rejects(capture(mine), { code: "io", message: /lay in .*docs, and now lies in .*outside/ });
    await assert.rejects(restore(mine, before), { code: "io" });
    assert.equal(readFileSync(join(folder, "outside", "mine"), "utf8"), "mine");
  }));

Deno.test("what cannot be restored does not keep the rest from it, and is said", () =>
  fixture(async ({ folder, protect, capture, restore }) => {
    mkdirSync(join(folder, "docs"));
    for (const name of ["a", "c"]) writeFileSync(join(folder, "docs", name), name);
    const docs = protect("docs", { count: 3 });
    const before = await capture(docs);
    writeFileSync(join(folder, "docs", "a"), "other");
    rmSync(join(folder, "docs", "c"));
    mkdirSync(join(folder, "docs", "c"));
    writeFileSync(join(folder, "docs", "c", "kept"), "kept");
    await capture(docs);
    await assert.rejects(restore(docs, before), { code: "io", message: /Cannot restore .*docs.c/ });
    assert.equal(readFileSync(join(folder, "docs", "a"), "utf8"), "a");
    assert.equal(readFileSync(join(folder, "docs", "c", "kept"), "utf8"), "kept");
  }));

Deno.test("an interrupt and a time that is over end the work on files", () =>
  fixture(async ({ protect }) => {
    const desktop = simulate({ clock: "virtual" });
    try {
      const files = protect("nothing");
      await assert.rejects(files.capture(desktop, { signal: AbortSignal.abort() }), { code: "cancelled" });
      await assert.rejects(files.capture(desktop, { timeout: 0 }), { code: "timeout" });
    } finally {
      await desktop.close();
    }
  }));
