import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { BackstepError } from "../../../base/error.ts";

/** The text of a file, "" where there is none. Throws `io` for what cannot be read, `refused` for what is no UTF-8. */
export function readConfig(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return "";
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    // A link to nothing, too: it would be replaced by a file.
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackstepError("io", `Cannot read ${file}: ${why}`, { cause });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    // What would be written back is not what stood there.
    throw new BackstepError("refused", `Cannot change ${file}: it is not UTF-8`, {
      hint: "Save it as UTF-8, and try again.",
      cause,
    });
  }
}

/**
 * Replaces a file as a whole: it is the old one or the new one, at every moment. A link stays a link; the rights stay; the
 * file as it was is kept beside it, and its name is answered.
 */
export function replaceConfig(file: string, before: string, text: string): string | undefined {
  const existed = existsSync(file);
  const target = existed ? realpathSync(file) : file;
  const mode = existed ? statSync(target).mode & 0o777 : 0o600;
  const beside = `${target}.${process.pid}.new`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    let backup: string | undefined;
    if (existed) {
      backup = `${target}.${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}.bak`;
      writeFileSync(backup, before, { mode });
    }
    writeFileSync(beside, text, { mode, flag: "wx" });
    if (existed && readFileSync(target, "utf8") !== before) {
      throw new BackstepError("io", `Cannot write ${file}: somebody changed it meanwhile`, {
        hint: "Try again.",
      });
    }
    renameSync(beside, target);
    return backup;
  } catch (cause) {
    rmSync(beside, { force: true });
    if (cause instanceof BackstepError) throw cause;
    throw new BackstepError(
      "io",
      `Cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}

/** The lines that differ, with two around them: "-" goes, "+" comes. */
export function difference(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) => text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  if (old === undefined || now === undefined) return [];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [
    ...now.slice(Math.max(0, head - 2), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...now.slice(now.length - tail, now.length - tail + 2).map((line) => `  ${line}`),
  ];
}
