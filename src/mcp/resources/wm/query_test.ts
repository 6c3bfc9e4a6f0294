import assert from "node:assert/strict";
import { ProtocolError } from "../../server/wire.ts";
import { addressUri, parseAddress, SCHEME, uriOf } from "./address.ts";
import { parseQuery } from "./query.ts";
import { fieldsOf } from "./schemas.ts";
import { holds, pick } from "./select.ts";

const at = (uri: string) => parseAddress(uri.slice(SCHEME.length), uri);
const about = (what: "windows" | "window" | "modes" | "layers" | "outputs") => ({
  schema: fieldsOf(what),
  collection: what !== "window",
  inFull: what === "modes",
});
const windows = (text?: string) => parseQuery(text, about("windows"), "niri://windows");

function refused(run: () => unknown): ProtocolError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ProtocolError, String(error));
    return error;
  }
  throw new Error("it was accepted");
}

Deno.test("every address of the ADR is parsed and written again; a slash at the end is accepted", () => {
  const all = [
    "niri://",
    "niri://outputs",
    "niri://outputs/DP-1",
    "niri://outputs/DP-1/modes",
    "niri://outputs/DP-1/workspaces",
    "niri://outputs/DP-1/workspaces/12",
    "niri://outputs/DP-1/workspaces/12/windows",
    "niri://windows",
    "niri://windows/7",
    "niri://layers",
    "niri://layers/DP-1%3ATop%3Awaybar%3A1",
    "niri://keyboard-layouts",
    "niri://keyboard-layouts/current",
    "niri://overview-state",
  ];
  for (const uri of all) {
    assert.equal(addressUri(at(uri)), uri);
    assert.equal(addressUri(at(`${uri}/`)), uri);
  }
  assert.equal(addressUri(at("niri://outputs/DP-1/workspaces/12/windows/7")), "niri://windows/7");
});

Deno.test("names are percent-encoded segment by segment, whatever they hold", () => {
  for (const name of ["..", ".", "a/b", "a?b#c", "Ü 世界 🙂", "%41", "DP-1+x", "current", "a:b,c"]) {
    const uri = uriOf("outputs", name);
    assert.deepEqual(at(uri), { what: "output", output: name });
    assert.equal(addressUri(at(`${uri}/modes/`)), `${uri}/modes`);
  }
  assert.equal(uriOf("outputs", "\ud800"), "niri://outputs/%EF%BF%BD");
});

Deno.test("what is no address is not found, and says what there is", () => {
  const none = [
    "niri://nothing",
    "niri://outputs//modes",
    "niri://outputs//",
    "niri:////",
    "niri://outputs/DP-1/nothing",
    "niri://outputs/DP-1/workspaces/12/nothing",
    "niri://outputs/DP-1/modes/1",
    "niri://outputs/DP-1/workspaces/12/windows/7/more",
    "niri://windows/7/more",
    "niri://windows/seven",
    "niri://windows/-1",
    "niri://windows/07",
    "niri://windows/1.5",
    "niri://windows/9007199254740993",
    "niri://outputs/DP-1/workspaces/x",
    "niri://keyboard-layouts/other",
    "niri://OUTPUTS",
  ];
  for (const uri of none) assert.equal(refused(() => at(uri)).code, -32002, uri);
  assert.match(refused(() => at("niri://workspaces")).message, /read niri:\/\/outputs\/\{name\}\/workspaces/);
  assert.equal(refused(() => at("niri://outputs/%zz")).code, -32602);
});

Deno.test("expand is true, false, 1 or 0, bare means true, and nothing else", () => {
  for (const text of ["expand", "expand=true", "expand=1", "&expand=true&"]) {
    assert.equal(windows(text).expand, true);
    assert.equal(windows(text).text, "?expand=true");
  }
  for (const text of [undefined, "", "expand=false", "expand=0"]) {
    assert.equal(windows(text).expand, false);
    assert.equal(windows(text).text, "");
  }
  for (const text of ["expand=", "expand=yes", "expand=TRUE", "expand=2", "expand=true&expand=true"]) {
    assert.equal(refused(() => windows(text)).code, -32602, text);
  }
});

Deno.test("fields are a list of dotted paths that there are", () => {
  const { fields, text } = windows("fields=id,rect.x%2C%20rect.y&expand=true");
  assert.deepEqual(fields, [["id"], ["rect", "x"], ["rect", "y"]]);
  assert.equal(text, "?expand=true&fields=id,rect.x,rect.y");
  const outputs = parseQuery("expand&fields=modes.width,logical", about("outputs"), "niri://outputs");
  assert.deepEqual(outputs.fields, [["modes", "width"], ["logical"]]);
  // Modes are in full without being expanded.
  assert.deepEqual(parseQuery("fields=width", about("modes"), "niri://").text, "?fields=width");
});

Deno.test("a query that cannot be is invalid, and says what would be right", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["expand&fields=titel", /no field "titel": did you mean title\?/],
    ["expand&fields=", /one is empty/],
    ["expand&fields=id,,title", /one is empty/],
    ["expand&fields=rect.z", /no field "rect.z"/],
    ["expand&fields=id.x", /no field "id.x"/],
    ["expand&fields=__proto__", /no field/],
    ["expand&fields=id&fields=title", /twice/],
    ["fields=id", /add expand=true/],
    ["filter", /field:value/],
    ["filter=", /field:value/],
    ["filter=title", /field:value/],
    ["filter=:x", /field:value/],
    ["filter=is_focused:true,x", /a comma in a value is %2C/],
    ["filter=nothing:1", /no field "nothing"/],
    ["filter=id:seven", /id is integer, not "seven"/],
    ["filter=is_focused:yes", /is_focused is boolean/],
    ["filter=rect:1", /rect is no single value: filter by one of rect.x/],
    ["expnad=true", /did you mean expand\?/],
    ["cursor=1", /no parameter "cursor"/],
    ["expand=%zz", /percent-encoded/],
  ];
  for (const [text, says] of cases) {
    const error = refused(() => windows(text));
    assert.equal(error.code, -32602, text);
    assert.match(error.message, says);
  }
  const single = refused(() => parseQuery("filter=id:7", about("window"), "niri://windows/7"));
  assert.equal(single.code, -32602);
  assert.match(single.message, /single resource/);
  // A single resource is in full anyway.
  assert.equal(parseQuery("expand=true", about("window"), "niri://windows/7").text, "");
});

Deno.test("filters are split at the first colon, joined by commas or repeated, and typed by their fields", () => {
  const typed = (text: string) => windows(text).filter.map(({ path, wanted }) => [path.join("."), wanted]);
  const both = [["id", [7]], ["is_focused", [true]]];
  assert.deepEqual(typed("filter=id:7,is_focused:true"), both);
  assert.deepEqual(typed("filter=id:7&filter=is_focused:true"), both);
  assert.deepEqual(typed("filter=id%3A7%2Cis_focused%3Atrue"), both);
  assert.deepEqual(typed("filter=title:a:b"), [["title", ["a:b"]]]);
  assert.deepEqual(typed("filter=title:Hello%2C+world"), [["title", ["Hello, world"]]]);
  assert.deepEqual(typed("filter=title:"), [["title", [""]]]);
  assert.deepEqual(typed("filter=title:null"), [["title", [null, "null"]]]);
  assert.deepEqual(typed("filter=pid:null"), [["pid", [null]]]);
  assert.deepEqual(typed("filter=rect.x:-1.5"), [["rect.x", [-1.5]]]);
  // Written again it means the same.
  const { text } = windows("filter=title:Hello%2C+world&filter=id:7");
  assert.deepEqual(typed(text.slice(1)), [["title", ["Hello, world"]], ["id", [7]]]);
});

Deno.test("fields and filters reach through lists and leave the rest alone", () => {
  const value = {
    id: 1,
    name: "a",
    modes: [{ width: 5, height: 6 }, { width: 7, height: 8 }],
    logical: null,
  };
  assert.deepEqual(pick(value, [["modes", "width"], ["logical", "x"], ["id"]]), {
    id: 1,
    modes: [{ width: 5 }, { width: 7 }],
    logical: null,
  });
  assert.deepEqual(pick(value, [["modes", "width"], ["modes"]]), { modes: value.modes });
  assert.deepEqual(pick(value, [["modes"], ["modes", "width"]]), { modes: value.modes });
  assert.ok(holds(value, [{ path: ["modes", "width"], wanted: [7] }, { path: ["id"], wanted: [1] }]));
  assert.ok(!holds(value, [{ path: ["modes", "width"], wanted: [6] }]));
  assert.ok(!holds(value, [{ path: ["logical", "x"], wanted: [null] }]));
});
