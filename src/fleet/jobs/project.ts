import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { BackstepError } from "../../base/error.ts";
import type { Database } from "../database/database.ts";
import type { Manifest } from "./spec.ts";
import { fetchBlob } from "./store.ts";

/** Project folders that are kept, the ones used last. */
const KEPT = 50;

/**
 * Makes the folder of a job's project, with the files as they were submitted; the same files are the same folder. What is
 * there already is used. Throws `refused` for a path that leads out of it.
 */
export async function makeProject(database: Database, folder: string, files: Manifest): Promise<string> {
  const entries = Object.entries(files).sort(([a], [b]) => a < b ? -1 : 1);
  const hash = createHash("sha256").update(JSON.stringify(entries)).digest("hex").slice(0, 32);
  const place = join(folder, hash);
  if (existsSync(place)) {
    const now = new Date();
    utimesSync(place, now, now);
    return place;
  }
  const draft = join(folder, `.${hash}-${randomUUID()}`);
  try {
    for (const [path, one] of entries) {
      const file = resolve(draft, path);
      if (!file.startsWith(`${draft}${sep}`)) {
        throw new BackstepError(
          "refused",
          `Cannot make ${JSON.stringify(path)}: it leads out of the job's folder`,
        );
      }
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const bytes = await fetchBlob(database, one);
      // What begins with "#!" is a program.
      writeFileSync(file, bytes, { mode: bytes[0] === 0x23 && bytes[1] === 0x21 ? 0o700 : 0o600 });
    }
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    renameSync(draft, place);
  } catch (thrown) {
    rmSync(draft, { recursive: true, force: true });
    // Another desktop of this worker was faster: the same files lie there.
    if (!existsSync(place)) throw thrown;
  }
  return place;
}

/** Removes the projects that were not used for longest, and drafts of workers that died. */
export function pruneProjects(folder: string): void {
  if (!existsSync(folder)) return;
  const all = readdirSync(folder).map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  const whole = all.filter(({ name }) => !name.startsWith(".")).sort((a, b) => b.at - a.at);
  for (const { name } of [...whole.slice(KEPT), ...all.filter((one) => one.name.startsWith("."))]) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
