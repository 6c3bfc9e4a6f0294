/** Our declarations of CoreFoundation and CoreGraphics beside those of Debian's Rust crates: another pair of eyes that had Apple's headers. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const REGISTRY = "/usr/share/cargo/registry";

/** Where the crates are wrong or say the same in another way, and who else says what we do. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  kCGWindowListOptionAll: "core-graphics 0.22 counts from 1; pyobjc and WebKit have 0",
  kCGWindowListOptionOnScreenOnly: "core-graphics 0.22 counts from 1; pyobjc and WebKit have 1 << 0",
  kCGWindowListOptionOnScreenAboveWindow: "core-graphics 0.22 counts from 1",
  kCGWindowListOptionOnScreenBelowWindow: "core-graphics 0.22 counts from 1",
  kCGWindowListOptionIncludingWindow: "core-graphics 0.22 counts from 1; pyobjc has 1 << 3",
  CFNumberCreate: "the crate's CFNumberType is u32; Apple's is a CFIndex, in the same register",
  CFNumberGetValue: "the crate's CFNumberType is u32; Apple's is a CFIndex, in the same register",
  CGRectMakeWithDictionaryRepresentation:
    "the crate has boolean_t, of 4 bytes; Apple's is bool, in the same register",
  CFStringCompare: "the crate's CFComparisonResult is an enum of a CFIndex",
};

/** Sizes of types as both languages name them: what decides how a call passes them. */
const SIZES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    v: "void ()",
    1: "Boolean bool UInt8 u8 i8 uint8_t",
    2: "UniChar u16 CGKeyCode uint16_t",
    4: "SInt32 UInt32 int32_t uint32_t u32 i32 int c_int c_uint pid_t CFStringEncoding CGError CGDirectDisplayID CGWindowID CGWindowListOption CGWindowImageOption CGEventType CGEventField " +
      "CGEventTapLocation CGEventTapPlacement CGEventTapOptions CGMouseButton CGScrollEventUnit CGEventSourceStateID CGBitmapInfo CFRunLoopRunResult boolean_t libc::pid_t",
    8: "CFIndex CFTypeID CFHashCode CFOptionFlags CFComparisonResult CFNumberType long int64_t uint64_t size_t libc::size_t u64 i64 usize isize c_long c_ulong CGEventFlags CGEventMask CGEventTimestamp",
    d: "double f64 CGFloat CFTimeInterval CFAbsoluteTime c_double",
    f: "float f32 c_float",
  }).flatMap(([size, names]) => names.split(" ").map((name) => [name, size] as const)),
);

/** How a type is passed, or `undefined` where it is not known. */
function sizeOf(written: string): string | undefined {
  const type = written.replace(/\b(const|struct|unsigned|mut|extern|pub)\b/g, " ").replace(/\s+/g, " ")
    .trim();
  if (/[*&]/.test(written) || /(Ref|Mode|CallBack|CallBackInternal|Callback|Context|Proxy)$/.test(type)) {
    return "p";
  }
  if (/^(sys::)?(CG|CF)\w*Ref$/.test(type) || type.startsWith("Option<")) return "p";
  if (/^(CGPoint|CGSize|CGRect|CFRange)$/.test(type)) return type;
  return SIZES.get(type.replace("libc::", "")) ?? (type === "" && /unsigned/.test(written) ? "4" : undefined);
}

const paragraphs = (list: string): string[] => {
  const parts: string[] = [];
  let depth = 0, from = 0;
  for (let i = 0; i <= list.length; i++) {
    if (list[i] === "(" || list[i] === "<") depth++;
    if (list[i] === ")" || list[i] === ">") depth--;
    if (i === list.length || (list[i] === "," && depth === 0)) {
      parts.push(list.slice(from, i).trim());
      from = i + 1;
    }
  }
  return parts.filter((part) => part !== "");
};

/** A C prototype as sizes, the result first. */
export function shapeOfC(declaration: string): string[] | undefined {
  const found = /^(.*?)(\w+)\((.*)\);$/.exec(declaration);
  if (found === null) return undefined;
  const [, result = "", , list = ""] = found;
  const types = paragraphs(list).filter((one) => one !== "void").map((one) => one.replace(/\w+$/, ""));
  return [result, ...types].map((type) => sizeOf(type) ?? `?${type.trim()}`);
}

function shapeOfRust(list: string, result: string | undefined): string[] {
  const types = paragraphs(list.replace(/\/\/.*/g, "")).map((one) => one.replace(/^\w+\s*:\s*/, ""));
  return [result ?? "()", ...types].map((type) => sizeOf(type) ?? `?${type.trim()}`);
}

interface Crate {
  readonly constants: ReadonlyMap<string, bigint>;
  readonly functions: ReadonlyMap<string, readonly string[]>;
}

/** A number of Rust or C: decimal, hexadecimal, or `a << b`. */
export function numberOf(text: string): bigint | undefined {
  const written = text.replace(/[()_uUlL]|as \w+/g, "").trim();
  const shifted = /^(\S+)\s*<<\s*(\S+)$/.exec(written);
  if (shifted !== null) {
    const left = numberOf(shifted[1] ?? ""), right = numberOf(shifted[2] ?? "");
    return left === undefined || right === undefined ? undefined : left << right;
  }
  if (/^-?\d+$/.test(written)) return BigInt(written);
  return /^0x[\dA-Fa-f]+$/.test(written) ? BigInt(written) : undefined;
}

const camel = (words: string): string =>
  words.split("_").map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join("");

/** What Rust's names of an event's fields are in C. */
function fieldName(words: string): string {
  return `kCG${camel(words)}`.replace("SubType", "Subtype").replace("FixedPoint", "FixedPt");
}

function crates(): Crate | undefined {
  if (!existsSync(REGISTRY)) return undefined;
  const folders = readdirSync(REGISTRY).filter((name) => /^core-(foundation-sys|graphics)-/.test(name));
  if (folders.length === 0) return undefined;
  const constants = new Map<string, bigint>(), functions = new Map<string, readonly string[]>();
  for (const folder of folders) {
    const source = join(REGISTRY, folder, "src");
    for (const name of readdirSync(source).filter((one) => one.endsWith(".rs"))) {
      const text = readFileSync(join(source, name), "utf8");
      const add = (key: string, value: string) => {
        const number = numberOf(value);
        if (number !== undefined) constants.set(key, number);
      };
      for (
        const [, key = "", value = ""] of text.matchAll(/pub (?:const|static) (k\w+)\s*:[^=]+=\s*([^;]+);/g)
      ) {
        add(key, value);
      }
      for (const [, key = "", value = ""] of text.matchAll(/const CGEventFlag(\w+) = ([^;]+);/g)) {
        add(`kCGEventFlagMask${key}`, value);
      }
      for (const [, key = "", value = ""] of text.matchAll(/pub const (\w+): CGEventField = ([^;]+);/g)) {
        add(fieldName(key), value);
      }
      const events = /pub enum CGEventType \{([\s\S]*?)\n\}/.exec(text)?.[1] ?? "";
      for (const [, key = "", value = ""] of events.matchAll(/(\w+) = (\w+)/g)) add(`kCGEvent${key}`, value);
      const calls = /(?:pub )?fn (C[FG]\w+)\s*\(([^)]*(?:\([^)]*\)[^)]*)*)\)\s*(?:->\s*([^;{]+))?;/g;
      for (const [, key = "", list = "", result] of text.matchAll(calls)) {
        functions.set(key, shapeOfRust(list, result?.trim()));
      }
    }
  }
  return { constants, functions };
}

/** What differs, as lines; and how much was compared. `undefined`: the crates are not installed. */
export function compareWithCrates(
  constants: ReadonlyMap<string, bigint>,
  prototypes: ReadonlyMap<string, string>,
): { readonly faults: string[]; readonly compared: string } | undefined {
  const theirs = crates();
  if (theirs === undefined) return undefined;
  const faults: string[] = [];
  let numbers = 0, calls = 0;
  for (const [name, value] of constants) {
    const other = theirs.constants.get(name);
    if (other === undefined) continue;
    numbers++;
    if (BigInt.asUintN(64, other) === BigInt.asUintN(64, value) || name in EXCEPTIONS) continue;
    faults.push(`${name} is ${value} here and ${other} in Debian's crates`);
  }
  for (const [name, declaration] of prototypes) {
    const other = theirs.functions.get(name);
    if (other === undefined) continue;
    calls++;
    const own = shapeOfC(declaration)?.join(" ");
    if (own === other.join(" ") || name in EXCEPTIONS) continue;
    faults.push(`${name} is passed as "${own}" here and as "${other.join(" ")}" in Debian's crates`);
  }
  return { faults, compared: `${numbers} constants, ${calls} prototypes` };
}
