import { deepEqual, equal, throws } from "node:assert/strict";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isWithin, lookWithin, OUTSIDE, readWithin, replaceWithin, writeWithin } from "./within.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (path: string) => readFileSync(path, "utf8");

function inFolders(work: (root: string, outside: string) => void): void {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "bs-within-")));
  const [root, outside] = [join(top, "in"), join(top, "in-and-out")];
  mkdirSync(root);
  mkdirSync(outside);
  try {
    work(root, outside);
  } finally {
    rmSync(top, { recursive: true });
  }
}

Deno.test("a folder whose name begins alike is another one", () => {
  equal(isWithin("/a/b", ["/a"]), true);
  equal(isWithin("/a", ["/a"]), true);
  equal(isWithin("/ab", ["/a"]), false);
  equal(isWithin("pipe:[7]", ["/a"]), false);
  equal(isWithin("/ab", ["/"]), true);
});

Deno.test("links are followed as long as they lead to where it may lie", () =>
  inFolders((root, outside) => {
    writeFileSync(join(root, "f"), "inside");
    writeFileSync(join(outside, "f"), "outside");
    symlinkSync("f", join(root, "near"));
    symlinkSync(join(outside, "f"), join(root, "far"));
    symlinkSync(outside, join(root, "away"));
    const read = readWithin(join(root, "near"), [root]);
    deepEqual([read.path, new TextDecoder().decode(read.bytes)], [join(root, "f"), "inside"]);
    for (const name of ["far", "away/f", "../in-and-out/f"]) {
      for (const use of [readWithin, lookWithin]) {
        throws(() => use(join(root, name), [root]), { code: OUTSIDE });
      }
      throws(() => writeWithin(join(root, name), [root], bytes("x")), { code: OUTSIDE });
    }
    throws(() => writeWithin(join(root, "away/new"), [root], bytes("x")), { code: OUTSIDE });
    throws(() => replaceWithin(join(root, "away/deep/new"), [root], bytes("x")), { code: OUTSIDE });
    deepEqual([readdirSync(outside), text(join(outside, "f"))], [["f"], "outside"]);
  }));

Deno.test("a file that is there is written in place: its mode and its other names stay", () =>
  inFolders((root) => {
    const file = join(root, "f");
    writeFileSync(file, "something longer");
    chmodSync(file, 0o640);
    linkSync(file, join(root, "other"));
    writeWithin(file, [root], bytes("short"));
    deepEqual([text(file), text(join(root, "other")), lstatSync(file).mode & 0o777], [
      "short",
      "short",
      0o640,
    ]);
  }));

Deno.test("a link to what is not there yet makes that, where it may lie", () =>
  inFolders((root, outside) => {
    symlinkSync("new", join(root, "near"));
    symlinkSync(join(outside, "new"), join(root, "far"));
    symlinkSync("round", join(root, "round"));
    writeWithin(join(root, "near"), [root], bytes("made"));
    equal(text(join(root, "new")), "made");
    throws(() => writeWithin(join(root, "far"), [root], bytes("made")), { code: OUTSIDE });
    throws(() => writeWithin(join(root, "round"), [root], bytes("made")), { code: "ELOOP" });
    deepEqual(readdirSync(outside), []);
  }));

Deno.test("a file is replaced in one step with its folders made, and a link that lies there goes", () =>
  inFolders((root, outside) => {
    const deep = join(root, "not/yet/there");
    replaceWithin(join(deep, "f"), [deep], bytes("made"));
    deepEqual(readdirSync(deep), ["f"]);
    writeFileSync(join(outside, "f"), "outside");
    symlinkSync(join(outside, "f"), join(root, "link"));
    replaceWithin(join(root, "link"), [root], bytes("own"));
    deepEqual([text(join(root, "link")), text(join(outside, "f"))], ["own", "outside"]);
  }));

Deno.test("nothing stays open, whatever it came to", () =>
  inFolders((root, outside) => {
    // Of this folder alone: other tests of this process open and close files of their own.
    const open = () =>
      readdirSync("/proc/self/fd").flatMap((fd) => {
        try {
          const path = readlinkSync(`/proc/self/fd/${fd}`);
          return path.startsWith(dirname(root)) ? [path] : [];
        } catch (thrown) {
          if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return [];
          throw thrown;
        }
      });
    for (let n = 0; n < 50; n++) {
      writeWithin(join(root, "f"), [root], bytes("x"));
      readWithin(join(root, "f"), [root]);
      throws(() => readWithin(outside, [root]), { code: OUTSIDE });
      throws(() => readWithin(root, [root]), { code: "EISDIR" });
      throws(() => writeWithin(join(root, "none/f"), [root], bytes("x")), { code: "ENOENT" });
    }
    deepEqual(open(), []);
  }));
