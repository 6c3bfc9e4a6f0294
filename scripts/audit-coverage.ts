/** The audit's rules beside those of axe-core and of the W3C's ACT rules: docs/reference/audit-coverage.md. */
import { MATCHING } from "./act/rules.ts";

/** Why axe-core's rule has no like here. */
const HIDDEN = "accessibility does not report it";
const OF_PAGES = "about how pages are read in a browser; a desktop application has windows and menus";
const OBSOLETE = "deprecated or obsolete in axe-core";

/** Of each rule of axe-core 4.14 the rule of ours that asks for the same, or why there is none. */
export const AXE: Readonly<Record<string, { readonly rule: string } | { readonly none: string }>> = {
  accesskeys: { rule: "accesskeys" },
  "area-alt": { rule: "link-name" },
  "aria-allowed-attr": { none: HIDDEN },
  "aria-allowed-role": { none: HIDDEN },
  "aria-braille-equivalent": { none: HIDDEN },
  "aria-command-name": { rule: "command-name" },
  "aria-conditional-attr": { none: HIDDEN },
  "aria-deprecated-role": { rule: "aria-roles" },
  "aria-dialog-name": { rule: "dialog-name" },
  "aria-hidden-body": { none: "what is hidden is not in the tree" },
  "aria-hidden-focus": { rule: "hidden-focus" },
  "aria-input-field-name": { rule: "input-field-name" },
  "aria-meter-name": { rule: "meter-name" },
  "aria-progressbar-name": { rule: "progressbar-name" },
  "aria-prohibited-attr": { none: HIDDEN },
  "aria-required-attr": { rule: "required-attr" },
  "aria-required-children": { rule: "required-children" },
  "aria-required-parent": { rule: "required-parent" },
  "aria-roledescription": { none: OBSOLETE },
  "aria-roles": { rule: "aria-roles" },
  "aria-tab-name": { rule: "tab-name" },
  "aria-text": { none: "no browser reports the role" },
  "aria-toggle-field-name": { rule: "toggle-field-name" },
  "aria-tooltip-name": { rule: "tooltip-name" },
  "aria-treeitem-name": { rule: "treeitem-name" },
  "aria-valid-attr": { none: HIDDEN },
  "aria-valid-attr-value": { none: "browsers report values that they have corrected" },
  "audio-caption": { none: OBSOLETE },
  "autocomplete-valid": { none: HIDDEN },
  "avoid-inline-spacing": { none: HIDDEN },
  blink: { none: HIDDEN },
  "button-name": { rule: "button-name" },
  bypass: { none: OF_PAGES },
  "color-contrast": { rule: "color-contrast" },
  "color-contrast-enhanced": { rule: "color-contrast-enhanced" },
  "css-orientation-lock": { none: "a desktop is not turned" },
  "definition-list": { rule: "list" },
  dlitem: { none: "what is in no list is reported as its text" },
  "document-title": { rule: "window-title" },
  "duplicate-id": { none: OBSOLETE },
  "duplicate-id-active": { rule: "duplicate-id" },
  "duplicate-id-aria": { rule: "duplicate-id" },
  "empty-heading": { rule: "empty-heading" },
  "empty-table-header": { rule: "empty-table-header" },
  "focus-order-semantics": { rule: "focus-order-semantics" },
  "form-field-multiple-labels": { rule: "form-field-multiple-labels" },
  "frame-focusable-content": { none: "a frame's tabindex is not reported" },
  "frame-tested": { none: "about axe-core itself" },
  "frame-title": { rule: "frame-title" },
  "frame-title-unique": { rule: "frame-title-unique" },
  "heading-order": { rule: "heading-order" },
  "hidden-content": { none: "what is hidden is not in the tree" },
  "html-has-lang": { rule: "locale" },
  "html-lang-valid": { rule: "locale" },
  "html-xml-lang-mismatch": { none: HIDDEN },
  "identical-links-same-purpose": { none: "only a person knows purposes" },
  "image-alt": { rule: "image-alt" },
  "image-redundant-alt": { rule: "image-redundant-alt" },
  "input-button-name": { rule: "button-name" },
  "input-image-alt": { rule: "button-name" },
  label: { rule: "label" },
  "label-content-name-mismatch": { rule: "label-content-name-mismatch" },
  "label-title-only": { rule: "label-title-only" },
  "landmark-banner-is-top-level": { none: OF_PAGES },
  "landmark-complementary-is-top-level": { none: OBSOLETE },
  "landmark-contentinfo-is-top-level": { none: OF_PAGES },
  "landmark-main-is-top-level": { none: OF_PAGES },
  "landmark-no-duplicate-banner": { none: OF_PAGES },
  "landmark-no-duplicate-contentinfo": { none: OF_PAGES },
  "landmark-no-duplicate-main": { none: OF_PAGES },
  "landmark-one-main": { none: OF_PAGES },
  "landmark-unique": { none: OF_PAGES },
  "link-in-text-block": { none: "not built: the colour of a link could be compared with its text's" },
  "link-name": { rule: "link-name" },
  list: { rule: "list" },
  listitem: { rule: "required-parent" },
  marquee: { none: "not built: movement could be seen in pixels" },
  "meta-refresh": { none: HIDDEN },
  "meta-refresh-no-exceptions": { none: HIDDEN },
  "meta-viewport": { none: "of telephones" },
  "meta-viewport-large": { none: "of telephones" },
  "nested-interactive": { rule: "nested-interactive" },
  "no-autoplay-audio": { none: HIDDEN },
  "object-alt": { none: "an object without a text is not in the tree" },
  "p-as-heading": { none: "experimental in axe-core" },
  "page-has-heading-one": { none: OF_PAGES },
  "presentation-role-conflict": { none: HIDDEN },
  region: { none: OF_PAGES },
  "role-img-alt": { rule: "role-img-alt" },
  "scope-attr-valid": { none: HIDDEN },
  "scrollable-region-focusable": { rule: "scrollable-region-focusable" },
  "select-name": { rule: "select-name" },
  "server-side-image-map": { none: HIDDEN },
  "skip-link": { none: OF_PAGES },
  "summary-name": { rule: "button-name" },
  "svg-img-alt": { rule: "role-img-alt" },
  tabindex: { none: "its value is not reported; `--keyboard` walks the order itself" },
  "table-duplicate-name": { none: "the summary is not reported" },
  "table-fake-caption": { none: "experimental in axe-core" },
  "target-size": { rule: "target-size" },
  "td-has-header": { rule: "td-has-header" },
  "td-headers-attr": { none: HIDDEN },
  "th-has-data-cells": { rule: "th-has-data-cells" },
  "valid-lang": { rule: "valid-lang" },
  "video-caption": { none: HIDDEN },
};

/** What a browser hides, by the ACT rule, with the cases of the W3C's that show it. */
type Unseen = readonly (readonly [act: string, cases: string, why: string])[];

const UNSEEN: Unseen = [
  [
    "6cfa84 Element with aria-hidden has no content in sequential focus navigation",
    "Failed 1, 2, 3, 4, 6",
    "What is `aria-hidden` is in no tree, also where Tab reaches it. `--keyboard` finds it by the way of the focus.",
  ],
  [
    "b5c3f8 HTML page has lang attribute",
    "Failed 1, 4",
    "Chromium reports its own language for a page that names none. Firefox reports none, and there it is found.",
  ],
  [
    "4e8ab6 Element with role attribute has required states and properties",
    "Failed 2, 3",
    "A missing `aria-checked` is reported as false: the states that are shown, attributes, relations and actions are the same with both.",
  ],
  [
    "4e8ab6, the same",
    "Failed 4",
    "A missing `aria-valuenow` is reported as the middle of the range. What is in the middle is inconclusive.",
  ],
  [
    "307n5z Element with presentational children has no focusable content",
    "Failed 4, 5",
    "What a tab or an `img` holds is left out of the tree. Firefox reports what a tab holds.",
  ],
  [
    "d0f69e Table header cell has assigned cells",
    "Failed 2",
    "The attribute `headers` is in no relation and no attribute of a cell: cells count by where they lie.",
  ],
  [
    "afw4f7, 09o5cg Text has minimum and enhanced contrast",
    "Failed 2, 6, 11",
    "On an image, on a gradient or with a shadow the finding is inconclusive.",
  ],
];

/** Where Firefox's verdict on a case of the W3C's is not Chromium's. */
const FIREFOX: Unseen = [
  ["b5c3f8", "Failed 1, 4", "Found: Firefox reports no language for a page that names none."],
  ["307n5z", "Failed 4", "Found: Firefox reports the link that a tab holds."],
  ["cae760", "Failed 3, 4", "Inconclusive: Firefox does not report whether a frame has `role=none`."],
  ["7d6734", "Failed 3", "Inconclusive: Firefox does not report the role of a drawing without a text."],
  ["c487ae", "Failed 9", "Inconclusive: Firefox describes an area of an image by its shape."],
  ["ff89c9", "Failed 2", "Missed: between a list and its items Firefox reports a box."],
  [
    "afw4f7, 09o5cg",
    "Failed 7, 10",
    "Missed: Firefox reports words that stand in the page itself as the page's, and they are not judged.",
  ],
];

/** What Chromium hides of the W3C's cases, by rule: a chapter of this page, and of the one of what was found. */
export function hiddenInChromium(): string {
  return `## What Chromium hides

These cases of the W3C's fail by their rule, and an audit from outside cannot see why.

| ACT rule | cases | what hides it |
|---|---|---|
${UNSEEN.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`;
}

/** docs/reference/audit-coverage.md. */
export function auditCoverage(): string {
  const axe = Object.entries(AXE).map(([id, like]) =>
    `| \`${id}\` | ${"rule" in like ? `[\`${like.rule}\`](audit-rules.md#${like.rule})` : like.none} |`
  );
  const act = Object.entries(MATCHING).map(([id, rules]) =>
    `| [${id}](https://www.w3.org/WAI/standards-guidelines/act/rules/${id}/) | ${
      rules.map((rule) => `\`${rule}\``).join(", ")
    } |`
  );
  const alike = Object.values(AXE).filter((like) => "rule" in like).length;
  return `# What the audit covers

Made by \`deno task schema\` from \`scripts/audit-coverage.ts\`. The audit judges by what an application reports to assistive technology, and by pixels.
\`deno task act FOLDER\` judges the audit itself by the test cases of the W3C's ACT rules, opened in Chromium or Firefox. [audit-beside-axe.md](audit-beside-axe.md) has what axe-core finds on the same pages, and the time of each.

${hiddenInChromium()}

## Firefox beside Chromium

\`deno task act FOLDER --browser firefox\` judges by the same cases in Firefox ESR 140. Of the 270 cases of a selection, these have another verdict than in Chromium.

| ACT rule | cases | what differs |
|---|---|---|
${FIREFOX.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}

## Rules of ACT

| ACT rule | rules of the audit |
|---|---|
${act.join("\n")}

## Rules of axe-core

Of ${Object.keys(AXE).length} rules of axe-core 4.14, ${alike} have their like.

| axe-core | the audit |
|---|---|
${axe.join("\n")}
`;
}
