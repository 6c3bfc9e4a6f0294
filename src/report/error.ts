import type { ErrorJson, Json, Place } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import { wrap } from "./layout.ts";
import { count, harmless, type Style } from "./style.ts";

/** One fault of a file, as an error's details list it. */
interface Fault {
  readonly place: string;
  readonly message: string;
  readonly hint: string | undefined;
}

/** An error as lines: what happened, where, what to try. Wrapped to `columns`. */
export function errorLines(error: ErrorJson, style: Style, columns = Infinity): string[] {
  const lines = wrap(harmless(error.message), columns).map((l) => style.bad(l));
  if (error.place) lines.push(style.dim(`at ${written(error.place)}`));
  lines.push(...diffLines(error, style));
  if (error.hint !== undefined) lines.push(...wrap(harmless(error.hint), columns));
  return lines;
}

/** What differs, line by line, of an error that has that: `- ` expected, `+ ` there. */
function diffLines({ details }: ErrorJson, style: Style): string[] {
  const diff = details?.["diff"];
  if (typeof diff !== "string" || diff === "") return [];
  return diff.split("\n").map((line) => {
    const text = `  ${harmless(line)}`;
    return line.startsWith("-") ? style.bad(text) : line.startsWith("+") ? style.good(text) : style.dim(text);
  });
}

/**
 * An error that ends a command, as lines. The faults of a file are all listed, each as `file:line:column: message`,
 * the form that editors and terminals make a link of.
 */
export function failureLines(error: ErrorJson, style: Style, columns = Infinity): string[] {
  const { faults, total } = faultsOf(error);
  const head = `${style.bold("Error")} ${style.dim(`(${error.code})`)}: `;
  const [only] = faults;
  const own: Fault | undefined = error.place &&
    { place: written(error.place), message: error.message, hint: error.hint };
  const single = faults.length === 1 ? only : faults.length === 0 ? own : undefined;
  if (single) return faultLines(single, style, columns, head);
  if (faults.length > 1) {
    const left = total - faults.length;
    return [
      `${head}${count(total, "fault")}`,
      ...faults.flatMap((fault) => faultLines(fault, style, columns, "  ")),
      ...(left > 0 ? [style.dim(`  … and ${left} more`)] : []),
    ];
  }
  const [first = "", ...rest] = errorLines(error, style, columns - 2);
  return [`${head}${first}`, ...rest.map((line) => `  ${line}`)];
}

function faultLines(fault: Fault, style: Style, columns: number, head: string): string[] {
  const indent = head === "  " ? "      " : "  ";
  const [first = "", ...rest] = wrap(harmless(fault.message), columns - indent.length);
  return [
    `${head}${style.bold(harmless(fault.place))}: ${style.bad(first)}`,
    ...rest.map((line) => indent + style.bad(line)),
    ...(fault.hint === undefined
      ? []
      : wrap(harmless(fault.hint), columns - indent.length).map((l) => indent + l)),
  ];
}

function faultsOf(error: ErrorJson): { faults: Fault[]; total: number } {
  const listed = error.details?.["faults"];
  const faults = Array.isArray(listed) ? listed.flatMap(faultOf) : [];
  const total = error.details?.["total"];
  return { faults, total: typeof total === "number" ? total : faults.length };
}

function faultOf(json: Json): Fault[] {
  if (!isMap(json) || !isMap(json["place"]) || typeof json["message"] !== "string") return [];
  const { file, line, column } = json["place"];
  const hint = json["hint"];
  return [{
    place: `${file}:${line}:${column}`,
    message: json["message"],
    hint: typeof hint === "string" ? hint : undefined,
  }];
}

function written({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}
