import { deepEqual, equal, throws } from "node:assert/strict";
import {
  chmodSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Holding, linuxHolding, pathHolding } from "./hold.ts";
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

/** As on Linux, and as on macOS but for what it opens by: no flag of Linux refuses links on the way, only one that ends it. */
function each(name: string, work: (by: Holding, root: string, outside: string) => void): void {
  Deno.test(name, () => inFolders((root, outside) => work(linuxHolding, root, outside)));
  Deno.test(`${name}; by paths`, () =>
    inFolders((root, outside) => work(pathHolding(constants.O_NOFOLLOW), root, outside)));
}

each("links are followed as long as they lead to where it may lie", (by, root, outside) => {
  writeFileSync(join(root, "f"), "inside");
  writeFileSync(join(outside, "f"), "outside");
  symlinkSync("f", join(root, "near"));
  symlinkSync(join(outside, "f"), join(root, "far"));
  symlinkSync(outside, join(root, "away"));
  const read = readWithin(join(root, "near"), [root], undefined, by);
  deepEqual([read.path, new TextDecoder().decode(read.bytes)], [join(root, "f"), "inside"]);
  for (const name of ["far", "away/f", "../in-and-out/f"]) {
    throws(() => readWithin(join(root, name), [root], undefined, by), { code: OUTSIDE });
    throws(() => lookWithin(join(root, name), [root], by), { code: OUTSIDE });
    throws(() => writeWithin(join(root, name), [root], bytes("x"), by), { code: OUTSIDE });
  }
  throws(() => writeWithin(join(root, "away/new"), [root], bytes("x"), by), { code: OUTSIDE });
  throws(() => replaceWithin(join(root, "away/deep/new"), [root], bytes("x"), by), { code: OUTSIDE });
  deepEqual([readdirSync(outside), text(join(outside, "f"))], [["f"], "outside"]);
});

each("a file that is there is written in place: its mode and its other names stay", (by, root) => {
  const file = join(root, "f");
  writeFileSync(file, "something longer");
  chmodSync(file, 0o640);
  linkSync(file, join(root, "other"));
  writeWithin(file, [root], bytes("short"), by);
  deepEqual([text(file), text(join(root, "other")), lstatSync(file).mode & 0o777], [
    "short",
    "short",
    0o640,
  ]);
});

each("a link to what is not there yet makes that, where it may lie", (by, root, outside) => {
  symlinkSync("new", join(root, "near"));
  symlinkSync(join(outside, "new"), join(root, "far"));
  symlinkSync("round", join(root, "round"));
  writeWithin(join(root, "near"), [root], bytes("made"), by);
  equal(text(join(root, "new")), "made");
  throws(() => writeWithin(join(root, "far"), [root], bytes("made"), by), { code: OUTSIDE });
  throws(() => writeWithin(join(root, "round"), [root], bytes("made"), by), { code: "ELOOP" });
  deepEqual(readdirSync(outside), []);
});

each(
  "a file is replaced in one step with its folders made, and a link that lies there goes",
  (by, root, outside) => {
    const deep = join(root, "not/yet/there");
    replaceWithin(join(deep, "f"), [deep], bytes("made"), by);
    deepEqual(readdirSync(deep), ["f"]);
    writeFileSync(join(outside, "f"), "outside");
    symlinkSync(join(outside, "f"), join(root, "link"));
    replaceWithin(join(root, "link"), [root], bytes("own"), by);
    deepEqual([text(join(root, "link")), text(join(outside, "f"))], ["own", "outside"]);
  },
);

each("nothing stays open, whatever it came to", (by, root, outside) => {
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
    writeWithin(join(root, "f"), [root], bytes("x"), by);
    readWithin(join(root, "f"), [root], undefined, by);
    throws(() => readWithin(outside, [root], undefined, by), { code: OUTSIDE });
    throws(() => readWithin(root, [root], undefined, by), { code: "EISDIR" });
    throws(() => writeWithin(join(root, "none/f"), [root], bytes("x"), by), { code: "ENOENT" });
  }
  deepEqual(open(), []);
});

Deno.test("by paths: what was swapped for a link, or for another file, between two looks is not opened", () =>
  inFolders((root, outside) => {
    const file = join(root, "f"), by = pathHolding(constants.O_NOFOLLOW);
    const swapped = (swap: () => void) => () => {
      writeFileSync(file, "inside");
      return readWithin(file, [root], () => swap(), by);
    };
    writeFileSync(join(outside, "f"), "outside");
    const link = swapped(() => (rmSync(file), symlinkSync(join(outside, "f"), file)));
    throws(link, { code: "ELOOP" });
    rmSync(file);
    const other = swapped(
      () => (writeFileSync(join(root, "g"), "another"), renameSync(join(root, "g"), file)),
    );
    throws(other, { code: "ESTALE" });
    const same = swapped(() => {})();
    equal(new TextDecoder().decode(same.bytes), "inside");
  }));
