import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Removes the files of a folder that end so, but for the newest ones. What somebody else removed meanwhile is gone as well. */
export function keepNewest(folder: string, end: string, most: number): void {
  const timed = readdirSync(folder).filter((name) => name.endsWith(end)).flatMap((name) => {
    const file = join(folder, name);
    const about = statSync(file, { throwIfNoEntry: false });
    return about === undefined ? [] : [{ file, time: about.mtimeMs }];
  });
  if (timed.length <= most) return;
  timed.sort((a, b) => b.time - a.time);
  for (const { file } of timed.slice(most)) rmSync(file, { force: true });
}
