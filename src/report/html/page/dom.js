// @ts-check
/// <reference lib="dom" />

/** @typedef {Node | string | number | undefined | null | false} Child */
/** @typedef {Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>} Props */

/**
 * An element. What is a function is told of the event of that name; everything else is an attribute. Text is text: nothing
 * that an application says is ever read as markup, and no control character of it stands unseen.
 *
 * @param {string} tag
 * @param {Props} [props]
 * @param {readonly (Child | readonly Child[])[]} children
 */
export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/**
 * The same for drawings.
 *
 * @param {string} tag
 * @param {Props} [props]
 * @param {readonly (Child | readonly Child[])[]} children
 */
export function s(tag, props = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Props} props
 * @param {readonly (Child | readonly Child[])[]} children
 * @returns {T}
 */
function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, shown(String(value)));
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== null && child !== false) {
      element.append(typeof child === "object" ? child : shown(String(child)));
    }
  }
  return element;
}

/** @param {number} ms */
export function time(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** What would not be seen, or turns the direction of what is: everything that Unicode calls a control or a format but line ends. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/** Control characters as they are written, so that nothing hides. @param {string} text */
export function shown(text) {
  return text.replaceAll(UNSEEN, (one) => `\\u{${one.charCodeAt(0).toString(16)}}`);
}

/** @type {Readonly<Record<string, readonly [kind: string, mark: string]>>} */
const LOOKS = {
  passed: ["good", "✓"],
  failed: ["bad", "✗"],
  cancelled: ["bad", "■"],
  flaky: ["warn", "≈"],
  skipped: ["quiet", "–"],
  restored: ["good", "✓"],
  already: ["good", "="],
  rebuilt: ["good", "✓"],
  compensated: ["good", "✓"],
  none: ["quiet", "–"],
  conflict: ["bad", "≠"],
  drift: ["warn", "≠"],
  unrestorable: ["warn", "–"],
  unknown: ["bad", "?"],
};

/** How a word is painted. @param {string} word */
export function kindOf(word) {
  return LOOKS[word]?.[0] ?? "quiet";
}

/** A status as a sign, and as a word for who does not see it. @param {string} word */
export function sign(word) {
  const [kind, mark] = LOOKS[word] ?? ["quiet", "·"];
  return h(
    "span",
    { class: `mark ${kind}` },
    h("span", { "aria-hidden": "true" }, mark),
    h("span", { class: "unseen" }, word),
  );
}

/** @param {string} word @param {string} [text] */
export function chip(word, text = word) {
  return h("span", { class: `chip ${kindOf(word)}` }, text);
}

/**
 * Tabs with their panel: arrow keys, Home and End choose.
 *
 * @param {string} label
 * @param {readonly { id: string, title: string, make: () => Node }[]} tabs
 * @param {string | undefined} chosen
 * @param {(id: string, asked: boolean) => void} chose told whether somebody asked for it, or it came first
 */
export function tabbed(label, tabs, chosen, chose) {
  const panel = h("div", { role: "tabpanel", tabindex: "0", id: `${label}-panel`.replaceAll(" ", "-") });
  const buttons = tabs.map(({ id, title }) =>
    h("button", {
      role: "tab",
      type: "button",
      id: `${label}-${id}`.replaceAll(" ", "-"),
      "aria-controls": panel.id,
      click: () => show(id, false, true),
    }, title)
  );
  /** @param {string} id @param {boolean} focus @param {boolean} asked */
  const show = (id, focus, asked) => {
    for (const [index, tab] of tabs.entries()) {
      const button = buttons[index];
      const is = tab.id === id;
      button?.setAttribute("aria-selected", String(is));
      button?.setAttribute("tabindex", is ? "0" : "-1");
      if (!is || !button) continue;
      panel.replaceChildren(tab.make());
      panel.setAttribute("aria-labelledby", button.id);
      if (focus) button.focus();
    }
    chose(id, asked);
  };
  const list = h("div", {
    role: "tablist",
    "aria-label": label,
    keydown: (event) => {
      if (!(event instanceof KeyboardEvent)) return;
      const at = buttons.findIndex((button) => button === document.activeElement);
      const to = moved(event.key, at, buttons.length, "ArrowLeft", "ArrowRight");
      const tab = to === undefined ? undefined : tabs[to];
      if (!tab) return;
      event.preventDefault();
      show(tab.id, true, true);
    },
  }, buttons);
  const first = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  if (first) show(first.id, false, false);
  return h("div", {}, list, panel);
}

/**
 * Where a key leads among so many; undefined: nowhere.
 *
 * @param {string} key @param {number} at @param {number} count @param {string} back @param {string} on
 */
export function moved(key, at, count, back, on) {
  if (count === 0) return undefined;
  if (key === on) return Math.min(count - 1, at + 1);
  if (key === back) return Math.max(0, at - 1);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}
