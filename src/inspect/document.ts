import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { asBlock } from "../report/html/document.ts";

/** Parts that the report's page has too. */
const SHARED = "../../report/html/page/";
/** The page's script, in the order in which its parts need each other. */
const PARTS = [
  "lit",
  `${SHARED}dom`,
  "server",
  "state",
  "rows",
  "place",
  "choose",
  "picture",
  "tree",
  "playground",
  "acts",
  "facts",
  "recorder",
  "route",
  `${SHARED}looks`,
  `${SHARED}visual`,
  `${SHARED}audit`,
  `${SHARED}text`,
  `${SHARED}journal`,
  `${SHARED}back`,
  `${SHARED}step`,
  `${SHARED}timeline`,
  "runs",
  "suite",
  "travel",
  "app",
] as const;

/** A page and what it may do. */
export interface PageDocument {
  readonly html: string;
  /** The policy for its header. */
  readonly policy: string;
}

let made: PageDocument | undefined;

/**
 * The page as one file: it asks nothing of anybody but the server that it comes from, and its policy would not let it: only
 * this script and this style run.
 */
export function pageDocument(): PageDocument {
  made ??= make();
  return made;
}

function make(): PageDocument {
  const style = `${part(`${SHARED}page.css`)}\n${part("page.css")}`;
  const blocks = PARTS.map((name) => asBlock(name.slice(name.lastIndexOf("/") + 1), part(`${name}.js`)));
  const script = `"use strict";\n${blocks.join("\n")}`;
  const policy = [
    "default-src 'none'",
    "connect-src 'self'",
    "img-src data: blob:",
    `style-src '${digest(style)}'`,
    `script-src '${digest(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const html = [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="data:,">',
    "<title>Backstep inspector</title>",
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    "<noscript><p>The inspector is made by its own script, which is not allowed to run here.</p></noscript>",
    `<script>${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
  return { html, policy };
}

function part(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), "utf8").trim();
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
