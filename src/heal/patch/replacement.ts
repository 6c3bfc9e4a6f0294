/** A string of a file that is to be another one. */
export interface Replacement {
  /** Its value as it is, not as it is written. */
  readonly from: string;
  readonly to: string;
  /** The line that it begins in, from 1; default: it stands in the file once. */
  readonly line?: number;
  /** Of YAML: it stands in the value of the key that begins here; default: anywhere. */
  readonly key?: { readonly line: number; readonly column: number };
}
