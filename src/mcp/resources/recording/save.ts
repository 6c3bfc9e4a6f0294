import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, extname, isAbsolute } from "node:path";
import { writeWithin } from "../../../base/within.ts";
import { asFault, type Confined, confined } from "../../../operations/confine.ts";
import type { McpCall } from "../../server/call.ts";
import { notSaved } from "./handed-out.ts";

const DOING = "save the recording as";
const NEW_FILE = "Give a new file, such as save=workflows/rename.yaml.";
const EXTENSIONS = [".yaml", ".yml"];

/** Where a file may be written: new, and below the first folder of the client. Throws before anything is ended. */
export async function placeOf(save: string, { session, client, signal }: McpCall): Promise<Confined> {
  const [root] = await session.folders.list(client, signal);
  if (root === undefined) {
    throw notSaved(
      save,
      "the client offers no folder as a root",
      "Read axterminator://recording/stop without save.",
    );
  }
  if (isAbsolute(save) || !EXTENSIONS.includes(extname(save))) {
    throw notSaved(save, "it is no relative path that ends in .yaml", NEW_FILE);
  }
  const place = await confined({ session: { home: undefined }, folder: root.path }, save, DOING);
  if (existsSync(place.path)) throw notSaved(save, "it exists already", NEW_FILE);
  return place;
}

/** Writes it there; a folder that is missing is made. */
export async function write(place: Confined, save: string, yaml: string): Promise<void> {
  try {
    await mkdir(dirname(place.path), { recursive: true });
    writeWithin(place.path, place.roots, new TextEncoder().encode(yaml));
  } catch (thrown) {
    throw asFault(thrown, DOING, save);
  }
}
