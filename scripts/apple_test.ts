import assert from "node:assert/strict";
import { tableOf } from "./apple/constants.ts";
import { compareWithCrates, numberOf, shapeOfC } from "./apple/crates.ts";
import { declaredIn, stubOf } from "./apple/headers.ts";

Deno.test("a header's functions and constants are declared, its types and comments are not", () => {
  const found = declaredIn(
    "cf.h",
    [
      "typedef const void *CFTypeRef; /* void CFNothing(void); */",
      "extern const CFStringRef kCFSome;",
      "void CFRelease(CFTypeRef value);",
      "#if defined(__x86_64__)",
      "void objc_msgSend_stret(void);",
      "#endif",
      "CFTypeRef CFRetain(CFTypeRef value);",
    ].join("\n"),
  );
  assert.deepEqual(found.map(({ name, kind, intelOnly }) => [name, kind, intelOnly]), [
    ["kCFSome", "constant", false],
    ["CFRelease", "function", false],
    ["objc_msgSend_stret", "function", true],
    ["CFRetain", "function", false],
  ]);
  const stub = stubOf("CoreFoundation", found);
  assert.match(stub, /targets: \[x86_64-macos\]\n {4}symbols:\n {6}- _objc_msgSend_stret\n/);
});

Deno.test("a prototype is what passes it: pointers, sizes, structures by value", () => {
  assert.deepEqual(shapeOfC("CGError CGWarpMouseCursorPosition(CGPoint at);"), ["4", "CGPoint"]);
  assert.deepEqual(
    shapeOfC(
      "void CGEventKeyboardSetUnicodeString(CGEventRef event, unsigned long count, const UniChar *units);",
    ),
    ["v", "p", "8", "p"],
  );
});

Deno.test("numbers are read as both languages write them", () => {
  assert.deepEqual([numberOf("0x08000100"), numberOf("1 << 12"), numberOf("-25204"), numberOf("OTHER")], [
    0x08000100n,
    4096n,
    -25204n,
    undefined,
  ]);
});

Deno.test("a number or a prototype that differs from Debian's crates is a fault, where those are installed", () => {
  const compared = compareWithCrates(
    new Map([["kCFStringEncodingUTF8", 1n]]),
    new Map([["CFGetTypeID", "int32_t CFGetTypeID(CFTypeRef value);"]]),
  );
  if (compared === undefined) {
    return console.log("skipped: the crates are not installed (tools/setup.sh --macos)");
  }
  assert.deepEqual(compared.faults, [
    "kCFStringEncodingUTF8 is 1 here and 134217984 in Debian's crates",
    'CFGetTypeID is passed as "4 p" here and as "8 p" in Debian\'s crates',
  ]);
});

Deno.test("the page has numbers in rows of their own, and names in the others", () => {
  const { numbers, names } = tableOf(
    "| `kAXErrorFailure` | -25200 | both |\n| roles | `AXButton` `AXRow` | AppKit |\n",
  );
  assert.deepEqual([[...numbers], [...names]], [[["kAXErrorFailure", -25200n]], ["AXButton", "AXRow"]]);
});
