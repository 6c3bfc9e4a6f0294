import process from "node:process";
import type { VisionModel } from "../../contract/vision.ts";
import { encodePng } from "../../operations/png.ts";
import { visionFor } from "../../vision/vision.ts";
import type { McpClient } from "../server/client.ts";
import { askOf } from "./ask.ts";

/** Who looks at pictures for a client: its own model where it offers one, else what the environment has set up. */
export function clientVision(client: McpClient | undefined): VisionModel {
  const sampling = client && askOf(client);
  return visionFor({
    env: (name) => process.env[name],
    encode: encodePng,
    ...(sampling ? { sampling } : {}),
  });
}
