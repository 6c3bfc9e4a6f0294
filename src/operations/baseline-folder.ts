import { join, resolve } from "node:path";
import { BackstepError } from "../base/error.ts";
import { readWithin, replaceWithin } from "../base/within.ts";
import {
  type Baseline,
  type BaselineFile,
  type Baselines,
  fallbacks,
  type UpdateMode,
  type Variant,
} from "../contract/baselines.ts";
import { baselineFile, baselineUri, pinnedTo, readBaselineName } from "../contract/baseline-name.ts";
import { asFault, type Confined, confined, isMissing } from "./confine.ts";

/** The folder of a project that baselines lie in. */
export const BASELINES = "baselines";
/** Bytes of the largest baseline that is read. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * `missing`, so that a first run makes what is not there; `none` where the environment says `CI=true` or `CI=1`: a check that
 * has nothing to compare with must not pass there.
 */
export function usualUpdateMode(environment: (name: string) => string | undefined): UpdateMode {
  const ci = environment("CI");
  return ci === "true" || ci === "1" ? "none" : "missing";
}

/** The baselines of a project, in the folder `baselines` of `root`. */
export function baselinesOf(root: string, mode: UpdateMode): Baselines {
  return new BaselineFolder(join(resolve(root), BASELINES), mode);
}

/** Baselines as files. What a symbolic link leads out of the folder is not read, and not written. */
export class BaselineFolder implements Baselines {
  readonly mode: UpdateMode;
  readonly folder: string;

  /** @param folder Absolute; made by the first `store`. */
  constructor(folder: string, mode: UpdateMode) {
    this.folder = folder;
    this.mode = mode;
  }

  async find(given: string, variant: Variant): Promise<Baseline | undefined> {
    const { name, variant: pinned } = readBaselineName(given);
    for (const keys of fallbacks(variant, pinned)) {
      const one = { name, variant: keys };
      const bytes = await this.#read(baselineFile(one));
      if (bytes !== undefined) return { ...this.#fileOf(one), bytes };
    }
    return undefined;
  }

  async store(given: string, variant: Variant, bytes: Uint8Array): Promise<BaselineFile> {
    const { name, variant: pinned } = readBaselineName(given);
    const one = { name, variant: pinnedTo(pinned, variant) };
    const file = baselineFile(one);
    const { path, roots } = await this.#confined(file, "write");
    try {
      // A link that lies there is replaced, not followed.
      replaceWithin(path, roots, bytes);
    } catch (thrown) {
      throw asFault(thrown, "write the baseline", file);
    }
    return this.#fileOf(one);
  }

  #fileOf(one: { readonly name: string; readonly variant: Variant }): BaselineFile {
    return { uri: baselineUri(one), path: join(this.folder, baselineFile(one)), variant: one.variant };
  }

  #confined(file: string, doing: string): Promise<Confined> {
    return confined({ session: { home: undefined }, folder: this.folder }, file, `${doing} the baseline`);
  }

  /** Undefined: there is none. */
  async #read(file: string): Promise<Uint8Array | undefined> {
    const { path, roots } = await this.#confined(file, "read");
    try {
      return readWithin(path, roots, (found) => {
        if (!found.isFile()) {
          throw new BackstepError("io", `Cannot read the baseline ${file}: it is no ordinary file`);
        }
        if (found.size > MOST_BYTES) {
          throw new BackstepError(
            "io",
            `Cannot read the baseline ${file}: ${found.size} bytes are over the limit`,
          );
        }
      }).bytes;
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      throw asFault(thrown, "read the baseline", file);
    }
  }
}
