import assert from "node:assert/strict";
import { ProtocolError } from "../../server/wire.ts";
import { parseMacos, splitQuery } from "./address.ts";

const PATH = 'AXApplication[@bundleIdentifier="org.x"]/AXWindow[@AXTitle="a?b]/\\"c"]/AXButton[2]';

/** What clients make of an address on its way, all of it or some. */
const WRITTEN: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "percent-encoded whole": (text) => encodeURIComponent(text),
  "percent-encoded but for slashes": (text) => text.split("/").map(encodeURIComponent).join("/"),
  "percent-encoded as an address is": (text) => encodeURI(text),
  "through URL": (text) => new URL(`macos://ui/${text}`).href.slice("macos://ui/".length),
};

for (const [how, write] of Object.entries(WRITTEN)) {
  Deno.test(`an element's path ${how} means the same, with its query apart`, () => {
    const path = how === "percent-encoded as an address is" ? PATH.replace("?", "\\u{3f}") : PATH;
    const read = parseMacos(`macos://ui/${write(path)}?maxDepth=3&interactable=true&limit=7`);
    assert.ok(read?.what === "ui");
    assert.equal(read.path.replaceAll("%5C", "\\"), `macos://ui/${path}`);
    assert.deepEqual([read.maxDepth, read.interactable, read.limit], [3, true, 7]);
  });
}

Deno.test("the query begins at the first question mark outside of quotes and brackets", () => {
  for (
    const [text, path, query] of [
      ["a?b", "a", "b"],
      ['a[@t="?"]?b', 'a[@t="?"]', "b"],
      ["a[@t='?\\'?']?b", "a[@t='?\\'?']", "b"],
      ["a[?]?b?c", "a[?]", "b?c"],
      ['a[@t="]?"]', 'a[@t="]?"]', undefined],
      ["a%5B%40t%3D%22?%22%5D?b", "a%5B%40t%3D%22?%22%5D", "b"],
      ["a's?b", "a's", "b"],
      ["a?", "a", ""],
    ] as const
  ) assert.deepEqual(splitQuery(text), { path, query }, text);
});

Deno.test("what is left out has the published default", () => {
  const read = (uri: string) => {
    const { address, cursor, ...rest } = parseMacos(uri) ?? assert.fail();
    assert.equal(address, uri);
    assert.equal(cursor, undefined);
    return rest;
  };
  assert.deepEqual(read("macos://applications"), { what: "applications" });
  assert.deepEqual(read("macos://ui/AXApplication"), {
    what: "ui",
    path: "macos://ui/AXApplication",
    maxDepth: 10,
    interactable: false,
    limit: 100,
  });
  assert.deepEqual(read("macos://applications/org.x/menus"), {
    what: "menus",
    bundleId: "org.x",
    menuTitle: undefined,
    includeSubmenus: false,
  });
  assert.deepEqual(read("macos://applications/org.x/windows"), {
    what: "windows",
    bundleId: "org.x",
    includeMinimized: true,
  });
});

Deno.test("ids and titles are percent-decoded", () => {
  const read = parseMacos("macos://applications/My%20App%2F2/menus?menuTitle=Ein%20f%C3%BCgen+%26+so");
  assert.ok(read?.what === "menus");
  assert.deepEqual([read.bundleId, read.menuTitle], ["My App/2", "Ein fügen & so"]);
});

Deno.test("a cursor is taken off, the other parameters stay", () => {
  const read = parseMacos("macos://ui/AXApplication?limit=3&cursor=ab-1&maxDepth=2");
  assert.equal(read?.cursor, "ab-1");
  assert.equal(read?.address, "macos://ui/AXApplication?limit=3&maxDepth=2");
});

for (
  const [uri, says] of [
    ["macos://ui/AXApplication?depth=3", /no parameter "depth".*maxDepth/],
    ["macos://ui/AXApplication?maxDepth=-1", /maxDepth is a whole number from 0/],
    ["macos://ui/AXApplication?maxDepth=", /maxDepth is a whole number/],
    ["macos://ui/AXApplication?maxDepth", /has no value/],
    ["macos://ui/AXApplication?maxDepth=1&maxDepth=2", /twice/],
    ["macos://ui/AXApplication?limit=0", /limit is a whole number from 1 to 10000/],
    ["macos://ui/AXApplication?limit=99999", /limit is a whole number from 1 to 10000/],
    ["macos://ui/AXApplication?limit=1e2", /limit is a whole number/],
    ["macos://ui/AXApplication?interactable=yes", /interactable is true or false/],
    ["macos://ui/AXApplication%ZZ", /percent-encoded/],
    ["macos://applications?limit=3", /no parameter "limit": it takes none/],
    ["macos://applications/x/menus?menuTitle=", /menuTitle is empty/],
    ["macos://applications/x/menus?includeSubmenus=1", /includeSubmenus is true or false/],
    ["macos://applications/x/windows?includeMinimised=true", /did you mean includeMinimized/],
  ] as const
) {
  Deno.test(`${uri} is an error of the call (-32602) that says why`, () => {
    assert.throws(
      () => parseMacos(uri),
      (error) => error instanceof ProtocolError && error.code === -32602 && says.test(error.message),
    );
  });
}

for (
  const uri of ["macos://", "macos://application", "macos://applications/x", "macos://applications/x/menu"]
) {
  Deno.test(`${uri} is none of the family's resources (-32002)`, () => {
    assert.throws(() => parseMacos(uri), (error) => error instanceof ProtocolError && error.code === -32002);
  });
}

Deno.test("addresses of another family are left to it", () => {
  assert.equal(parseMacos("axterminator://apps"), undefined);
});
