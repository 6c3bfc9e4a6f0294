import { basename } from "node:path";

/** What stands where it does not belong. */
export interface Misplaced {
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

/** Words that belong to some files alone. */
const RULES: readonly { pattern: RegExp; allowed: (file: string) => boolean; why: string }[] = [
  {
    pattern: /\bDeno\.(dlopen|UnsafePointer)\b|from "koffi"/g,
    allowed: within("ffi"),
    why: "only src/ffi/ opens a library",
  },
  {
    pattern: /\bDeno\.\w+|\bDeno\?\.|\{ ?Deno\b|\bglobalThis\.Deno\b|"Deno"/g,
    // Beside each lies a `node.ts` that does the same.
    allowed: (file) => basename(file) === "deno.ts",
    why: "only an adapter, a file named deno.ts, knows Deno",
  },
  { pattern: /\bconsole\.\w+\(/g, allowed: within("cli"), why: "only an interface writes to the terminal" },
  {
    pattern: /\bprocess\.(stdout|stderr)\b/g,
    allowed: within("cli", "mcp"),
    why: "only an interface writes to the terminal",
  },
  {
    pattern: /new URL\(["'`][^"'`]*\.ts["'`], import\.meta\.url\)/g,
    allowed: () => false,
    why: "the package has no such file: take the ending of `import.meta.url`, which is .js there",
  },
  { pattern: /resolved\.act\(/g, allowed: within("contract"), why: "only the gate runs an action" },
];

function within(...packages: readonly string[]): (file: string) => boolean {
  return (file) => packages.some((name) => file.startsWith(`src/${name}/`));
}

/** What a file says that others are to say; comments may say anything. */
export function misplacedIn(file: string, text: string): Misplaced[] {
  return RULES.filter(({ allowed }) => !allowed(file)).flatMap(({ pattern, why }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const before = text.slice(0, match.index).split("\n");
      if (/^\s*(\/?\*|\/\/)/.test(before.at(-1) ?? "")) return [];
      return [{ line: before.length, text: match[0], why }];
    })
  );
}
