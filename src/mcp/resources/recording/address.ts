import { noSuch } from "../axterminator/address.ts";

/** What an address of recordings means. */
export type RecordingAddress =
  | { readonly what: "start" | "status" }
  /** `save`: where the file is to be written, as the client says it. */
  | { readonly what: "stop"; readonly save: string | undefined };

const PREFIX = "axterminator://recording/";

/** Takes an address apart; undefined: it is of another family. Throws -32002 for what there is not. */
export function recordingAddress(uri: string): RecordingAddress | undefined {
  if (!uri.toLowerCase().startsWith(PREFIX)) return undefined;
  const [path = "", query] = uri.slice(PREFIX.length).split(/\?(.*)/s);
  if (query === undefined && (path === "start" || path === "status")) return { what: path };
  if (path === "stop") {
    const given = new URLSearchParams(query ?? "");
    const save = given.get("save") ?? undefined;
    const strange = [...given.keys()].find((key) => key !== "save");
    if (strange === undefined) return { what: "stop", save };
    throw noSuch(uri, `"${strange.slice(0, 60)}" is nothing that can be asked for; save=FILE is`);
  }
  throw noSuch(uri, "there is no such resource");
}
