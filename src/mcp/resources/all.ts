import { FIELDS, insight } from "../../intelligence/mod.ts";
import type { ResourceProvider } from "../server/resource.ts";
import { axterminator } from "./axterminator.ts";
import { macos } from "./macos/macos.ts";
import { recording } from "./recording/recording.ts";
import { wm } from "./wm/wm.ts";

/** Every family of resources. */
export const resources: readonly ResourceProvider[] = [
  // Before the family whose scheme it shares.
  recording(),
  axterminator({ insight: { ...insight, fields: FIELDS } }),
  macos,
  wm(),
];
