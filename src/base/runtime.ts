import process from "node:process";

/**
 * Whether this is Deno. Everywhere else, Node's own interfaces are there: only the files named `deno.ts`, each beside a `node.ts`
 * that does the same, know more.
 */
export const isDeno: boolean = process.versions["deno"] !== undefined;
