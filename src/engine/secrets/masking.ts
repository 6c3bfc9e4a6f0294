import type { Mask } from "./mask.ts";
import type { Withheld } from "./withheld.ts";

/** What of a run is not shown. */
export interface Masking {
  readonly mask: Mask;
  /** Of what is encrypted: the secrets, and not what applications made of them, which a rollback may have to write. */
  readonly encryptionMask: Mask;
  /** What of the desktop is never shown. */
  readonly withheld: Withheld;
}
