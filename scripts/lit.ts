import { readFileSync } from "node:fs";

/** What of it the page uses. */
const USED = ["html", "nothing", "render"] as const;

/** The types that a page's script is checked with; the package's own are for a compiler. */
const TYPES: Readonly<Record<(typeof USED)[number], string>> = {
  html: "(strings: TemplateStringsArray, ...values: unknown[]) => unknown",
  nothing: "unknown",
  render: "(what: unknown, into: Element | DocumentFragment) => unknown",
};

/** lit-html as a part of a page: what its package has, with exports that `asBlock` reads. */
export function litOfPage(): string {
  const url = new URL("../tools/references/node_modules/lit-html/lit-html.js", import.meta.url);
  const [body = "", exported = ""] = readFileSync(url, "utf8").split("export{");
  const short = new Map(
    exported.split("}")[0]?.split(",").map((one) => {
      const [own = "", name = ""] = one.split(" as ");
      return [name, own] as const;
    }),
  );
  const exports = USED.map((name) => {
    const own = short.get(name);
    if (own === undefined) throw new Error(`lit-html exports no ${name}`);
    return `/** @type {${TYPES[name]}} */\nexport const ${name} = ${own};`;
  });
  return `// Made by \`deno task schema\` from lit-html of tools/references, as it is published.\n${body.trim()}\n${
    exports.join("\n")
  }\n`;
}
