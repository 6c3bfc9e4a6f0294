import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Json } from "../src/base/error.ts";
import { isMap } from "../src/base/json.ts";
import { differences, type Image, type PartlyRestored } from "../src/contract/participant.ts";
import { simulate } from "../src/desktop/simulated/simulate.ts";
import { filesOf } from "../src/participants/files.ts";
import type { FileStore } from "../src/participants/declared-file.ts";

const FACTS = fileURLToPath(new URL("fixtures/truth-restore/facts.py", import.meta.url));
const root = fileURLToPath(new URL("..", import.meta.url));
const isRoot = process.geteuid?.() === 0;

/** What the system says, by another program: never what we read back. */
function facts(...paths: readonly string[]): Json[] {
  const { status, stdout, stderr } = spawnSync("/usr/bin/python3", ["-B", FACTS, ...paths], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

function python(code: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync("/usr/bin/python3", ["-c", `import os, sys\n${code}`, ...args], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
}

class Kept implements FileStore {
  readonly #all = new Map<string, Uint8Array>();
  /** Called before something kept is written back: a moment between the look and the writing. */
  before: () => void = () => {};
  put(bytes: Uint8Array): string {
    const name = new TextDecoder("latin1").decode(bytes);
    this.#all.set(name, bytes.slice());
    return name;
  }
  get(name: string): Uint8Array {
    this.before();
    const bytes = this.#all.get(name);
    assert.ok(bytes, `${name} was not kept`);
    return bytes;
  }
}

interface Fixture {
  readonly folder: string;
  readonly docs: string;
  readonly store: Kept;
  readonly capture: () => Promise<Image>;
  /** What a rollback does: reads, writes back what was captured before, and answers what that left. */
  readonly restore: (before: Image) => Promise<string | PartlyRestored>;
}

async function fixture(test: (fixture: Fixture) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bs-truth-"));
  const desktop = simulate({ clock: "virtual" });
  const docs = join(folder, "docs");
  mkdirSync(docs);
  const store = new Kept();
  const files = filesOf({ given: "docs", path: docs, store, late: true });
  try {
    await test({
      folder,
      docs,
      store,
      capture: () => files.capture(desktop, {}),
      restore: (before) => files.restore(before, desktop, {}),
    });
  } finally {
    await desktop.close();
    rmSync(folder, { recursive: true });
  }
}

/** Saves as most editors do: another file takes the place. */
function saveByRename(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

const WHOLE = { method: "files", left: {} };

Deno.test({
  name:
    "files: an owner and a group that were changed come back, of files, folders and links, with the setuid bit",
  ignore: !isRoot,
  fn: () =>
    fixture(async ({ docs, capture, restore }) => {
      const [file, folder, link, tool] = ["a.txt", "sub", "link", "tool"].map((name) => join(docs, name));
      assert.ok(file && folder && link && tool);
      writeFileSync(file, "mine");
      mkdirSync(folder);
      symlinkSync("a.txt", link);
      writeFileSync(tool, "tool");
      python("for one in sys.argv[1:]: os.lchown(one, 1000, 1001)", file, folder, link, tool);
      chmodSync(tool, 0o4750);
      const all = [file, folder, link, tool];
      const before = facts(...all);
      const image = await capture();

      python("for one in sys.argv[1:]: os.lchown(one, 0, 0)", ...all);
      saveByRename(file, "root's");
      saveByRename(tool, "root's tool");
      const changed = await capture();
      const named = differences("", image, changed).map(({ property }) => property);
      assert.deepEqual(named, ["a.txt", "link", "sub", "tool"]);

      assert.deepEqual(await restore(image), WHOLE);
      assert.deepEqual(withoutInode(facts(...all)), withoutInode(before));
      assert.deepEqual(differences("", image, await capture()), []);
    }),
});

Deno.test("files: a file with two names is written in place: the other name, outside of what is declared, is still the same file", () =>
  fixture(async ({ folder, docs, capture, restore }) => {
    const [file, other] = [join(docs, "a.txt"), join(folder, "other.txt")];
    writeFileSync(file, "before, and longer");
    linkSync(file, other);
    const before = facts(file, other);
    const image = await capture();
    writeFileSync(file, "after");
    assert.deepEqual(await restore(image), WHOLE);
    assert.deepEqual(facts(file, other), before);
    assert.deepEqual(differences("", image, await capture()), []);
  }));

Deno.test("files: a hard link that was cut is tied again where the other name is declared, and named where it is not", () =>
  fixture(async ({ folder, docs, capture, restore }) => {
    const [a, b, c, outside] = [
      ...["a.txt", "b.txt", "c.txt"].map((one) => join(docs, one)),
      join(folder, "o.txt"),
    ];
    assert.ok(a && b && c && outside);
    writeFileSync(a, "one file");
    linkSync(a, b);
    writeFileSync(c, "another");
    linkSync(c, outside);
    const before = facts(a, b, c, outside);
    const image = await capture();
    saveByRename(a, "cut");
    saveByRename(c, "cut too");
    const back = await restore(image);
    assert.deepEqual(back, {
      method: "files",
      left: { "links of c.txt": "its other names are not among the declared files" },
    });
    const now = facts(a, b, c, outside);
    assert.deepEqual(now.slice(0, 2).map(linked), before.slice(0, 2).map(linked));
    assert.equal(inodeOf(now[0]), inodeOf(now[1]));
    // Its content is back, and that it is a file of its own now is told by the look as well.
    assert.deepEqual(facts(c).map(content), ["another"]);
    assert.deepEqual(differences("", image, await capture()).map(({ property }) => property), ["c.txt"]);
  }));

Deno.test("files: extended attributes and access lists come back, and so do permissions and times", () =>
  fixture(async ({ docs, capture, restore }) => {
    const [file, folder] = [join(docs, "a.txt"), join(docs, "sub")];
    writeFileSync(file, "a");
    mkdirSync(folder);
    // An access list: the owner rw, user 1000 r, the group nothing, mask r, others nothing.
    const acl = "02000000" + "01000600ffffffff" + "02000400e8030000" + "04000000ffffffff" +
      "10000400ffffffff" + "20000000ffffffff";
    python(
      `os.setxattr(sys.argv[1], "user.note", b"gr\\xc3\\xbcn")
os.setxattr(sys.argv[1], "user.gone", b"1")
os.setxattr(sys.argv[1], "system.posix_acl_access", bytes.fromhex("${acl}"))
os.setxattr(sys.argv[2], "user.note", b"folder")`,
      file,
      folder,
    );
    utimesSync(file, 1_700_000_000.123, 1_700_000_000.123);
    const before = facts(file, folder);
    const image = await capture();
    python(
      `os.setxattr(sys.argv[1], "user.note", b"red")
os.removexattr(sys.argv[1], "user.gone")
os.setxattr(sys.argv[1], "user.new", b"2")
os.removexattr(sys.argv[1], "system.posix_acl_access")
os.removexattr(sys.argv[2], "user.note")
os.chmod(sys.argv[1], 0o777)`,
      file,
      folder,
    );
    assert.deepEqual(await restore(image), WHOLE);
    assert.deepEqual(facts(file), before.slice(0, 1));
    // Saved anew: nothing of it hangs on the new file by itself.
    saveByRename(file, "b");
    assert.deepEqual(await restore(image), WHOLE);
    assert.deepEqual(withoutInode(facts(file, folder)), withoutInode(before));
    assert.deepEqual(differences("", image, await capture()), []);
  }));

Deno.test("files: what is only touched is seen to have changed, and its time comes back", () =>
  fixture(async ({ docs, capture, restore }) => {
    const file = join(docs, "a.txt");
    writeFileSync(file, "a");
    utimesSync(file, 1_600_000_000, 1_600_000_000);
    const image = await capture();
    writeFileSync(file, "a");
    assert.equal(differences("", image, await capture()).length, 1);
    assert.deepEqual(await restore(image), WHOLE);
    assert.equal(statSync(file).mtimeMs, 1_600_000_000_000);
  }));

Deno.test("files: a pipe that stands is no difference; one that came goes; one that went is named", () =>
  fixture(async ({ docs, capture, restore }) => {
    const [old, came] = [join(docs, "old"), join(docs, "came")];
    python("os.mkfifo(sys.argv[1])", old);
    const image = await capture();
    assert.equal(image.unrestorable, undefined);
    assert.deepEqual(differences("", image, await capture()), []);
    chmodSync(old, 0o600);
    assert.deepEqual(await restore(image), {
      method: "files",
      left: { "permissions of old": "they are changed only of what can be opened" },
    });
    python("os.mkfifo(sys.argv[1])", came);
    rmSync(old);
    assert.deepEqual(await restore(image), {
      method: "files",
      left: { "kind of old": "a fifo is not made again" },
    });
    assert.deepEqual(readdirSync(docs), []);
    assert.deepEqual(differences("", image, await capture()).map(({ property }) => property), ["old"]);
  }));

Deno.test("files: a link or another file that takes the place of one between look and writing is not written through", () =>
  fixture(async ({ folder, docs, store, capture, restore }) => {
    const [file, outside] = [join(docs, "a.txt"), join(folder, "outside.txt")];
    writeFileSync(outside, "theirs");
    writeFileSync(file, "before");
    linkSync(file, join(docs, "b.txt"));
    const image = await capture();
    writeFileSync(file, "after");
    store.before = () => {
      rmSync(file);
      symlinkSync(outside, file);
    };
    await assert.rejects(restore(image), { code: "io" });
    assert.equal(readFileSync(outside, "utf8"), "theirs");
    store.before = () => {};
    rmSync(file);
    linkSync(join(docs, "b.txt"), file);
    writeFileSync(file, "after again");
    store.before = () => saveByRename(file, "another");
    await assert.rejects(restore(image), { code: "io", message: /another file took its place/ });
    assert.equal(readFileSync(outside, "utf8"), "theirs");
    assert.equal(readFileSync(file, "utf8"), "another");
    assert.equal(readFileSync(join(docs, "b.txt"), "utf8"), "before");
  }));

Deno.test("files: a folder that becomes a link between look and writing leads nowhere", () =>
  fixture(async ({ folder, docs, store, capture, restore }) => {
    const [sub, outside] = [join(docs, "sub"), join(folder, "outside")];
    for (const one of [sub, outside]) mkdirSync(one);
    writeFileSync(join(sub, "a.txt"), "before");
    writeFileSync(join(outside, "a.txt"), "theirs");
    const image = await capture();
    writeFileSync(join(sub, "a.txt"), "after");
    store.before = () => {
      if (!existsSync(`${sub}.moved`)) {
        renameSync(sub, `${sub}.moved`);
        symlinkSync(outside, sub);
      }
    };
    await assert.rejects(restore(image), { code: "io", message: /leads elsewhere/ });
    assert.equal(readFileSync(join(outside, "a.txt"), "utf8"), "theirs");
    assert.deepEqual(readdirSync(outside), ["a.txt"]);
  }));

Deno.test({
  name:
    "files: who is not root restores what is theirs, and an owner that they cannot give is named, never restored",
  ignore: !isRoot,
  fn: () => {
    const folder = mkdtempSync(join(tmpdir(), "bs-truth-"));
    try {
      chmodSync(folder, 0o777);
      const docs = join(folder, "docs");
      mkdirSync(docs);
      const [mine, theirs] = [join(docs, "mine.txt"), join(docs, "theirs.txt")];
      writeFileSync(mine, "mine");
      writeFileSync(theirs, "theirs");
      chownSync(docs, 65_534, 65_534);
      chownSync(mine, 65_534, 65_534);
      chownSync(theirs, 1_000, 1_000);
      const before = facts(mine, theirs);
      const [src, runtime] = [join(folder, "src"), join(folder, "deno")];
      cpSync(join(root, "src"), src, { recursive: true });
      // By another process: whoever forks beside this one would hold it open for writing, and it could not be run.
      assert.equal(spawnSync("cp", [`/proc/${process.pid}/exe`, runtime]).status, 0);
      chmodSync(runtime, 0o755);
      const script = join(folder, "restore.ts");
      writeFileSync(script, NOT_ROOT);
      const { stdout, stderr } = spawnSync(
        runtime,
        ["run", "-A", "--no-check", "--no-config", script, docs],
        {
          encoding: "utf8",
          uid: 65_534,
          gid: 65_534,
          env: { DENO_DIR: join(folder, "cache"), HOME: folder, PATH: "/usr/bin:/bin", NO_COLOR: "1" },
        },
      );
      assert.notEqual(stdout, "", stderr);
      const reported: Json = JSON.parse(stdout);
      assert.ok(isMap(reported) && isMap(reported["back"]));
      assert.deepEqual(reported["back"]["left"], {
        "owner of theirs.txt": "only root may give a file to another user",
      });
      // What cannot be restored is told by the look as well; the rest is as it was.
      assert.deepEqual(reported["differs"], ["theirs.txt"]);
      const now = facts(mine, theirs);
      assert.deepEqual(withoutInode(now.slice(0, 1)), withoutInode(before.slice(0, 1)));
      assert.deepEqual(now.map(content), ["mine", "theirs"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
});

/** Captures, has both files replaced by its own, restores and looks: as a user who may not give files away. */
const NOT_ROOT = `
import { renameSync, writeFileSync } from "node:fs";
import { differences } from "./src/contract/participant.ts";
import { filesOf } from "./src/participants/files.ts";
const kept = new Map();
const store = {
  put(bytes) { const name = new TextDecoder("latin1").decode(bytes); kept.set(name, bytes.slice()); return name; },
  get: (name) => kept.get(name),
};
const docs = Deno.args[0];
const files = filesOf({ given: "docs", path: docs, store, late: true });
const image = await files.capture(undefined, {});
for (const name of ["mine.txt", "theirs.txt"]) {
  writeFileSync(docs + "/new", "changed");
  renameSync(docs + "/new", docs + "/" + name);
}
const back = await files.restore(image, undefined, {});
const differs = differences("", image, await files.capture(undefined, {})).map(({ property }) => property);
console.log(JSON.stringify({ back, differs }));
`;

function withoutInode(all: readonly Json[]): Json[] {
  return all.map((one) => {
    if (!isMap(one)) return one;
    const { inode: _, ...rest } = one;
    return rest;
  });
}

function linked(one: Json): Json {
  return isMap(one) ? { links: one["links"] ?? null, content: one["content"] ?? null } : one;
}

function inodeOf(one: Json | undefined): Json {
  return isMap(one) ? one["inode"] ?? null : null;
}

function content(one: Json): Json {
  return isMap(one) ? one["content"] ?? null : one;
}
