import process from "node:process";
import type { Eyes } from "../../contract/eyes.ts";
import { encodePng } from "../../operations/png.ts";
import { eyesFor } from "../../vision/eyes.ts";
import type { McpClient } from "../client.ts";
import { askOf } from "./ask.ts";

/** Who looks at pictures for a client: its own model where it offers one, else what the environment has set up. */
export function clientsEyes(client: McpClient | undefined): Eyes {
  const sampling = client && askOf(client);
  return eyesFor({
    env: (name) => process.env[name],
    encode: encodePng,
    ...(sampling ? { sampling } : {}),
  });
}
