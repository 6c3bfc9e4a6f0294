import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { harmless, jsonText } from "../style.ts";
import type { ReportData } from "./model.ts";

/** The page's script, in the order in which its parts need each other. */
const PARTS = [
  "dom",
  "route",
  "files",
  "looks",
  "visual",
  "audit",
  "text",
  "journal",
  "back",
  "step",
  "timeline",
  "app",
] as const;

/**
 * The report as one file: the page, its style and script, the data, and the pictures. It asks nothing of any network, and
 * its policy would not let it: only this script runs, pictures are `data:`, everything else is refused.
 */
export function documentOf(data: ReportData, pictures: ReadonlyMap<string, string>): string {
  const style = part("page.css");
  const script = `"use strict";\n${PARTS.map((name) => asBlock(name, part(`${name}.js`))).join("\n")}`;
  const policy = [
    "default-src 'none'",
    "img-src data:",
    `style-src '${digest(style)}'`,
    `script-src '${digest(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escaped(harmless(data.title))}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    "<noscript><p>This report is made by its own script, which is not allowed to run here.</p></noscript>",
    `<script type="application/json" id="data">${embedded(data)}</script>`,
    ...[...pictures].map(([name, base64]) => `<script type="text/plain" id="p-${name}">${base64}</script>`),
    `<script>${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** JSON that cannot end the element that it stands in, whatever an application calls its windows. */
export function embedded(value: unknown): string {
  return jsonText(value).replaceAll("<", "\\u003c");
}

/** Text in a page. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}

function part(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), "utf8").trim();
}

/** A module as a block of one script: what it imports is taken from the blocks before, what it exports is handed on. */
export function asBlock(name: string, source: string): string {
  const exported = [...source.matchAll(/^export (?:const|let|class|(?:async )?function) (\w+)/gm)].map((
    [, word],
  ) => word);
  const body = source
    .replaceAll(/^import (\{[^}]*\}) from "(?:\.{1,2}\/)[\w./-]*?([\w-]+)\.js";$/gm, "const $1 = $2_js;")
    .replaceAll(/^export /gm, "").replaceAll(/<(\/?script|!--)/gi, "\\x3c$1");
  return `const ${name}_js = (() => {\n${body}\nreturn { ${exported.join(", ")} };\n})();`;
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
