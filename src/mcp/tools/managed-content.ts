import { isMap } from "../../base/json.ts";
import type { Json } from "../../base/error.ts";
import { uriOf } from "../resources/wm/address.ts";
import { MIME } from "../resources/wm/definitions.ts";
import type { Content } from "../server/wire.ts";

/** What one address under `niri://` holds, as a block of a result carries it. */
export function niriResource(
  uri: string,
  value: Json,
): { readonly uri: string; readonly mimeType: string; readonly text: string } {
  return { uri, mimeType: MIME, text: JSON.stringify(value, null, 2) };
}

/** A window and a workspace that were read back, as blocks of a result. What has no address is left out. */
export function managedContent(
  { window = null, workspace = null }: { readonly window?: Json; readonly workspace?: Json },
): readonly Content[] {
  const blocks: Content[] = [];
  const add = (uri: string, value: Json) => {
    const annotations = { audience: ["assistant", "user"], priority: 1 } as const;
    blocks.push({ type: "resource", resource: niriResource(uri, value), annotations });
  };
  if (isMap(window) && typeof window["id"] === "number") add(uriOf("windows", window["id"]), window);
  if (isMap(workspace)) {
    const { id, output } = workspace;
    if (typeof id === "number" && typeof output === "string") {
      add(uriOf("outputs", output, "workspaces", id), workspace);
    }
  }
  return blocks;
}
