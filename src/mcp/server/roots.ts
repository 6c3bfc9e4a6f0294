import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { toBackstepError } from "../../base/error.ts";
import type { McpClient } from "./client.ts";

/** Folders that are looked at, and files that are named from each. */
const MOST_ROOTS = 20, MOST_FILES = 200;
/** Where a project keeps its workflows. */
const WORKFLOW_FOLDERS = [
  "workflows",
  ".backstep/workflows",
  ".axterminator",
  ".axterminator/workflows",
  ".axterminator/macros",
];
/** Where it keeps its configuration, the first that has one. */
const CONFIGURATION_FOLDERS = [".backstep", ".axterminator"];
/** Where it keeps its baselines, the first that is there. */
const BASELINE_FOLDERS = ["baselines", ".axterminator/baselines"];
const WORKFLOW_FILES = new Set([".yaml", ".yml"]);

/** A folder that the client opened to the server, and what of ours lies in it. */
export interface OpenFolder {
  /** Absolute, without links. */
  readonly path: string;
  /** Workflow files, by absolute path. */
  readonly workflows: readonly string[];
  /** Its folder of baselines; undefined: it has none. */
  readonly baselines: string | undefined;
  /** Its `.backstep/config.toml` or `.axterminator/config.toml`; undefined: it has none. It is named, and never read: what a client offers sets no policy. */
  readonly configuration: string | undefined;
}

/**
 * The client's folders, asked once and again after it said that they changed. What is no folder of this machine is left
 * out. Paths that tools are given are confined to the first one.
 */
export class OpenFolders {
  #last: Promise<readonly OpenFolder[]> | undefined;

  /** Empty where the client offers none. */
  async list(client: McpClient, signal: AbortSignal): Promise<readonly OpenFolder[]> {
    if (!client.can.roots) return [];
    const mine = this.#last === undefined;
    const asked = this.#last ??= foldersOf(client, signal);
    try {
      return await asked;
    } catch (thrown) {
      const cut = signal.aborted || toBackstepError(thrown).code === "cancelled";
      // What was cut short is asked again; a client that fails to say is not, until it says that they changed.
      if (this.#last === asked) this.#last = cut ? undefined : Promise.resolve([]);
      // Another call asked, and was cancelled: that is not this one's end.
      if (!cut || signal.aborted || mine) throw thrown;
      return await this.list(client, signal);
    }
  }

  /** As `list`, where nothing depends on it: empty where the client fails to say. */
  async listOrNone(client: McpClient, signal: AbortSignal): Promise<readonly OpenFolder[]> {
    try {
      return await this.list(client, signal);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return [];
    }
  }

  /** The client says that they are others now. */
  changed(): void {
    this.#last = undefined;
  }
}

async function foldersOf(client: McpClient, signal: AbortSignal): Promise<readonly OpenFolder[]> {
  const roots = await client.roots(signal);
  const found: OpenFolder[] = [];
  for (const { uri } of roots.slice(0, MOST_ROOTS)) {
    const path = await folderAt(uri);
    if (path !== undefined && !found.some((other) => other.path === path)) found.push(await lookInto(path));
  }
  return found;
}

/** The folder of a `file:` address, without links; undefined: it is none. */
async function folderAt(uri: string): Promise<string | undefined> {
  if (!URL.canParse(uri) || new URL(uri).protocol !== "file:") return undefined;
  try {
    const path = await realpath(fileURLToPath(uri));
    return (await stat(path)).isDirectory() ? path : undefined;
  } catch (thrown) {
    if (thrown instanceof Error && ("code" in thrown || thrown instanceof TypeError)) return undefined;
    throw thrown;
  }
}

async function lookInto(path: string): Promise<OpenFolder> {
  const workflows: string[] = [];
  for (const folder of WORKFLOW_FOLDERS) {
    for (
      const name of (await namesIn(join(path, folder))).filter((name) => WORKFLOW_FILES.has(extname(name)))
    ) {
      if (workflows.length < MOST_FILES) workflows.push(join(path, folder, name));
    }
  }
  return {
    path,
    workflows: workflows.sort(),
    baselines: await baselineFolderIn(path),
    configuration: await firstOf(path, CONFIGURATION_FOLDERS.map((folder) => `${folder}/config.toml`)),
  };
}

/** The folder of baselines of a project; undefined: it has none. */
export async function baselineFolderIn(path: string): Promise<string | undefined> {
  return await firstOf(path, BASELINE_FOLDERS);
}

/** The first of these below a folder that is there. */
async function firstOf(path: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const one = join(path, name);
    if ((await namesIn(dirname(one))).includes(basename(one))) return one;
  }
  return undefined;
}

/** What lies in a folder; nothing where there is none, or where it may not be read. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return [];
    throw thrown;
  }
}
