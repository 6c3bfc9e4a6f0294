/** The program's version; a test holds it equal to deno.json. */
export const VERSION = "0.1.0";
