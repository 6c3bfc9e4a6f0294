import { BackstepError } from "../base/error.ts";
import type { Baselines } from "../contract/baselines.ts";
import type { Mask } from "./mask.ts";

/** Baselines that no secret of a run is written into: they lie in the project, where everybody reads them. */
export function withoutSecrets(baselines: Baselines, mask: Mask): Baselines {
  return {
    mode: baselines.mode,
    folder: baselines.folder,
    find: (name, variant) => baselines.find(name, variant),
    async store(name, variant, bytes) {
      const text = name.includes(".tree.yaml") ? new TextDecoder().decode(bytes) : "";
      if (mask.text(text) === text) return await baselines.store(name, variant, bytes);
      throw new BackstepError(
        "secure",
        `Cannot write the baseline ${name}: it would hold a secret of the run`,
        {
          hint: "Name a `target:` beside the secret, or write the rest of the tree under `matches:`.",
        },
      );
    },
  };
}
