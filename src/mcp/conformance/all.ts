import type { HostOptions } from "../server/host.ts";
import { conformancePrompts } from "./prompts.ts";
import { conformanceResources } from "./resources.ts";
import { conformanceTools } from "./tools.ts";

/** What the protocol's conformance suites need of a server, for `--conformance` alone. */
export const conformance: NonNullable<HostOptions["extra"]> = {
  tools: conformanceTools,
  resources: [conformanceResources],
  prompts: conformancePrompts,
};
