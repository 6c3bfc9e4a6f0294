import { hostname } from "node:os";
import process from "node:process";
import { userName } from "../session/user-name.ts";

/** Who submits, for people: "ada@build-3"; by number where the user has no name, as in some containers: "1001@build-3". */
export function submitter(): string {
  return `${userName() ?? process.getuid?.() ?? "unknown"}@${hostname()}`;
}
