import type { Json } from "../../src/base/error.ts";

type Fields = { readonly [name: string]: Json };

/** One thing that somebody has done: a tool of the server, an operation as a command of its own, steps of a workflow file. */
export type Act =
  | { readonly tool: string; readonly args: Fields; readonly task?: boolean }
  | { readonly operation: string; readonly input: Fields }
  | { readonly steps: readonly Json[] };

/** What an act was answered; undefined: nothing stood in its way. */
export type Answer = { readonly refused: boolean; readonly why: string } | undefined;

/** Who does it, and under what rule. */
export interface Column {
  /** "no", "safe", "sandboxed": as the page names it. */
  readonly name: string;
  /** A client, or a person at a terminal, who comes anew: what was said no to before is not known of them. */
  begin(): Promise<Actor>;
  close(): Promise<void>;
}

/** Who acts in one cell. */
export interface Actor {
  act(act: Act): Promise<Answer>;
  /** Does it in normal mode, and the person says yes. */
  permitted(act: Act): Promise<Answer>;
  /** Does it in normal mode, where nobody is asked. */
  unasked(act: Act): Promise<Answer>;
  end(): Promise<void>;
}
