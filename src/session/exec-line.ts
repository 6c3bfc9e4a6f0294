/**
 * The value of an entry's `Exec` key as a program and its arguments. Quoting and field codes as in the Desktop Entry
 * Specification 1.5, "The Exec key": an argument is quoted whole in double quotes, within which a backslash escapes
 * `"`, a backtick, `$` and itself. Codes for files and URLs (%f %F %u %U) give way to `files`; %i becomes
 * `--icon <icon>`, %c the name, %k the entry's file, %% a percent sign; deprecated and unknown ones vanish.
 *
 * Undefined when the line is malformed: an open quote, or no program.
 *
 * @example
 * ```ts
 * import { parseExec } from "./exec-line.ts";
 * const args = parseExec('"/opt/My App/run" --title %c %U', { name: "App" });
 * if (args?.join("|") !== "/opt/My App/run|--title|App") throw new Error();
 * ```
 */
export function parseExec(
  line: string,
  entry: { readonly name: string; readonly icon?: string; readonly file?: string },
  files: readonly string[] = [],
): string[] | undefined {
  const words = splitWords(line);
  if (words === undefined) return undefined;
  const args: string[] = [];
  for (const { text, quoted } of words) {
    if (!quoted && /^%[fFuU]$/.test(text)) {
      args.push(...(/[FU]/.test(text) ? files : files.slice(0, 1)));
    } else if (!quoted && text === "%i") {
      if (entry.icon) args.push("--icon", entry.icon);
    } else {
      const expanded = text.replace(/%(.?)/g, (_, code: string) => {
        if (code === "%") return "%";
        if (code === "c") return entry.name;
        if (code === "k") return entry.file ?? "";
        return code === "f" || code === "u" ? files[0] ?? "" : "";
      });
      if (expanded !== "" || quoted || !text.includes("%")) args.push(expanded);
    }
  }
  return args.length === 0 || args[0] === "" ? undefined : args;
}

function splitWords(line: string): { text: string; quoted: boolean }[] | undefined {
  const words: { text: string; quoted: boolean }[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === " " || line[at] === "\t") {
      at++;
      continue;
    }
    let text = "";
    let quoted = false;
    while (at < line.length && line[at] !== " " && line[at] !== "\t") {
      if (line[at] !== '"') {
        text += line[at++];
        continue;
      }
      quoted = true;
      for (at++; line[at] !== '"'; at++) {
        if (at >= line.length) return undefined;
        if (line[at] === "\\" && /["`$\\]/.test(line[at + 1] ?? "")) at++;
        text += line[at];
      }
      at++;
    }
    words.push({ text, quoted });
  }
  return words;
}
