import type { Json } from "../../../base/error.ts";
import { toJson, wellFormed } from "../../../base/json.ts";
import type { WmOutput, WmWorkspace } from "../../../wm/model.ts";
import { noSuch } from "../axterminator/address.ts";
import { addressUri, uriOf, type WmAddress } from "./address.ts";
import { partOf, ROOTS } from "./definitions.ts";
import type { WmQuery } from "./query.ts";
import type { Reading } from "./reading.ts";
import { holds, pick } from "./select.ts";

/** Addresses of what belongs to a resource, by what they are to it. */
export type Relations = { readonly [name: string]: string };

/** One of the items of a collection; modes have no address. */
interface Item {
  readonly uri?: string;
  readonly data: Json;
}

/** What stands at an address: itself, or its items. */
type Found =
  & { readonly relations: Relations }
  & ({ readonly data: Json } | { readonly items: readonly Item[] });

/** What reading an address answers, before it is text. */
export interface Document {
  readonly body: Json;
  readonly relations: Relations;
}

/** Reads an address as its query asks. Throws -32002 for what is not there, and what the window manager rejects with. */
export async function documentOf(
  address: WmAddress,
  query: WmQuery,
  uri: string,
  reading: Reading,
): Promise<Document> {
  const found = await find(address, query, uri, reading);
  const { relations } = found;
  const data = (one: Json) => wellFormed(query.fields === undefined ? one : pick(one, query.fields));
  if ("data" in found) return { body: data(found.data), relations };
  const items = found.items.filter((one) => holds(one.data, query.filter)).map((one) => {
    if (one.uri === undefined) return data(one.data);
    return query.expand ? { uri: one.uri, data: data(one.data) } : one.uri;
  });
  return { body: { uri: addressUri(address), items }, relations };
}

async function find(address: WmAddress, query: WmQuery, uri: string, reading: Reading): Promise<Found> {
  switch (address.what) {
    case "roots":
      return { items: await rootsOf(query, reading), relations: {} };
    case "outputs": {
      const items = (await reading.outputs()).map((one) => item(uriOf("outputs", one.name), one));
      return { items, relations: {} };
    }
    case "output": {
      const output = await outputOf(address.output, uri, reading);
      return { data: toJson(output), relations: relationsOfOutput(output.name) };
    }
    case "modes": {
      const { modes, name } = await outputOf(address.output, uri, reading);
      return {
        items: modes.map((mode) => ({ data: toJson(mode) })),
        relations: { output: uriOf("outputs", name) },
      };
    }
    case "workspaces": {
      const { name } = await outputOf(address.output, uri, reading);
      const own = (await reading.workspaces()).filter(({ output }) => output === name);
      const items = own.map((one) => item(uriOf("outputs", name, "workspaces", one.id), one));
      return { items, relations: { output: uriOf("outputs", name) } };
    }
    case "workspace": {
      const workspace = await workspaceOf(address, uri, reading);
      return { data: toJson(workspace), relations: relationsOfWorkspace(address.output, workspace) };
    }
    case "workspace-windows": {
      const { id } = await workspaceOf(address, uri, reading);
      const workspace = uriOf("outputs", address.output, "workspaces", id);
      const own = (await reading.windows()).filter(({ workspace_id }) => workspace_id === id);
      const items = own.map((one) => item(`${workspace}/windows/${one.id}`, one));
      return { items, relations: { output: uriOf("outputs", address.output), workspace } };
    }
    case "windows": {
      const items = (await reading.windows()).map((one) => item(uriOf("windows", one.id), one));
      return { items, relations: {} };
    }
    case "window":
      return await windowAt(address, uri, reading);
    case "layers": {
      const items = (await reading.layers(uri)).map((one) => item(uriOf("layers", one.id), one));
      return { items, relations: {} };
    }
    case "layer": {
      const layer = (await reading.layers(uri)).find(({ id }) => id === address.id);
      if (layer === undefined) throw noSuch(uri, "there is no such layer");
      const relations = { layers: uriOf("layers"), output: uriOf("outputs", layer.output) };
      return { data: toJson(layer), relations };
    }
    case "keyboard-layouts":
      return {
        data: toJson(await reading.layouts(uri)),
        relations: { current: uriOf("keyboard-layouts", "current") },
      };
    case "keyboard-layout": {
      const { names, current_idx: index } = await reading.layouts(uri);
      return {
        data: { index, name: names[index] ?? null },
        relations: { keyboard_layouts: uriOf("keyboard-layouts") },
      };
    }
    case "overview-state":
      return { data: toJson(await reading.overview(uri)), relations: {} };
  }
}

/** The roots that this window manager has. Expanded, each is as reading it answers. */
async function rootsOf(query: WmQuery, reading: Reading): Promise<readonly Item[]> {
  const { parts } = reading.manager;
  const there = ROOTS.filter((what) => {
    const part = partOf(what);
    return part === undefined || parts.has(part);
  });
  const plain: WmQuery = { expand: false, fields: undefined, filter: [], text: "" };
  return await Promise.all(there.map(async (what): Promise<Item> => {
    const uri = addressUri({ what });
    return { uri, data: query.expand ? (await documentOf({ what }, plain, uri, reading)).body : null };
  }));
}

function item(uri: string, one: object): Item {
  return { uri, data: toJson(one) };
}

async function outputOf(name: string, uri: string, reading: Reading): Promise<WmOutput> {
  const outputs = await reading.outputs();
  const output = outputs.find((one) => one.name === name);
  if (output !== undefined) return output;
  throw noSuch(uri, `there is no output "${name.slice(0, 100)}"`, {
    outputs: outputs.map((one) => one.name),
  });
}

async function workspaceOf(
  { output, workspace }: { readonly output: string; readonly workspace: number },
  uri: string,
  reading: Reading,
): Promise<WmWorkspace> {
  const { name } = await outputOf(output, uri, reading);
  const own = (await reading.workspaces()).filter((one) => one.output === name);
  const found = own.find(({ id }) => id === workspace);
  if (found !== undefined) return found;
  const workspaces = own.slice(0, 20).map(({ id }) => String(id));
  throw noSuch(uri, `${name} has no workspace with the id ${workspace}`, { workspaces });
}

async function windowAt(
  { id, below }: Extract<WmAddress, { what: "window" }>,
  uri: string,
  reading: Reading,
): Promise<Found> {
  if (below !== undefined) await workspaceOf(below, uri, reading);
  const window = (await reading.windows()).find((one) => one.id === id);
  if (window === undefined) throw noSuch(uri, `there is no window with the id ${id}`);
  if (below !== undefined && window.workspace_id !== below.workspace) {
    throw noSuch(uri, `the window ${id} is not on that workspace`, { canonical: uriOf("windows", id) });
  }
  // An id may dangle for a moment: then the relation is missing.
  const workspace = (await reading.workspaces()).find((one) => one.id === window.workspace_id);
  const output = workspace?.output ?? undefined;
  const relations: Relations = {
    canonical: uriOf("windows", id),
    ...(output === undefined || workspace === undefined ? {} : {
      output: uriOf("outputs", output),
      workspace: uriOf("outputs", output, "workspaces", workspace.id),
    }),
  };
  return { data: toJson(window), relations };
}

function relationsOfOutput(name: string): Relations {
  return {
    outputs: uriOf("outputs"),
    modes: uriOf("outputs", name, "modes"),
    workspaces: uriOf("outputs", name, "workspaces"),
  };
}

function relationsOfWorkspace(output: string, { id, active_window_id }: WmWorkspace): Relations {
  return {
    output: uriOf("outputs", output),
    workspaces: uriOf("outputs", output, "workspaces"),
    windows: uriOf("outputs", output, "workspaces", id, "windows"),
    ...(active_window_id === null ? {} : { active_window: uriOf("windows", active_window_id) }),
  };
}
