/** What a release changes in the clone. @module */

/** A release. */
export interface Release {
  readonly version: string;
  /** As the changelog has it: 2026-11-23. */
  readonly date: string;
  /** The name on the registry is ours: pages may say `npx backstep`. */
  readonly published: boolean;
}

/** A file before and after. */
export interface Edit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** How a page installs the package, between these marks. */
const INSTALL = /(<!-- install -->\n)[\s\S]*?(<!-- \/install -->)/g;
const SHORT = "```sh\nnpm install --save-dev backstep\nnpx backstep demo\n```\n";
/** The tarball by its name, which has the version. */
const TARBALL = /\bbackstep-\d[\w.-]*\.tgz\b/g;
/** Pages with those marks, and what leads to the commands there. */
const PAGES = {
  "README.md": "For your own project on [Node 22 or later, or Bun](docs/how-to/npm.md):",
  "docs/how-to/npm.md": "In your own project:",
};
/** What runs only what is installed, as long as the registry's `backstep` is not ours; then its name is enough. */
const shorter = (text: string) =>
  text.replace(/npx --no-install backstep/g, "npx backstep").replace(/`([^`]+) TARBALL`/g, "`$1 backstep`");

/** Every edit; `read` reads a file of the clone. Throws where a file is not as it is expected. */
export function edits({ version, date, published }: Release, read: (path: string) => string): Edit[] {
  const edit = (path: string, change: (before: string) => string): Edit => {
    const before = read(path);
    return { path, before, after: change(before) };
  };
  return [
    edit("deno.json", (text) => replaced(text, /("version": ")[^"]+(")/, `$1${version}$2`, "deno.json")),
    edit(
      "src/base/version.ts",
      (text) => replaced(text, /(VERSION = ")[^"]+(")/, `$1${version}$2`, "src/base/version.ts"),
    ),
    edit("CHANGELOG.md", (text) => {
      const heading = "## [Unreleased]\n";
      const rest = text.split(heading)[1];
      if (rest === undefined) throw new Error("CHANGELOG.md has no [Unreleased]");
      if (/^\s*(?:## |$)/.test(rest)) throw new Error("CHANGELOG.md has nothing under [Unreleased]");
      return text.replace(heading, `${heading}\n## [${version}] - ${date}\n`)
        .replace(" Version 0.1.0 is not released yet.", "");
    }),
    ...Object.entries(PAGES).map(([path, words]) =>
      edit(
        path,
        (text) =>
          published
            ? shorter(replaced(text, INSTALL, `$1${words}\n\n${SHORT}$2`, path))
            : text.replace(TARBALL, `backstep-${version}.tgz`),
      )
    ),
  ];
}

function replaced(text: string, pattern: RegExp, by: string, path: string): string {
  if (text.search(pattern) < 0) throw new Error(`${path} has nothing to replace: ${pattern}`);
  return text.replace(pattern, by);
}
