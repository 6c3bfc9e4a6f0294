import { ROW_HEIGHT } from "./kinds.ts";
import type { SimulatedWindow, Widget } from "./widget.ts";

const GAP = 4;
const BAR = 16;

/** What shows of a scrolled area, in screen pixels. */
interface Clip {
  readonly top: number;
  readonly bottom: number;
}

const OPEN: Clip = { top: -Infinity, bottom: Infinity };

/** Gives every widget of a window its place on the screen, or takes it away where it does not show. */
export function layOut(window: SimulatedWindow): void {
  const { widget } = window;
  widget.x = window.x;
  widget.y = window.y;
  widget.width = window.width;
  widget.height = window.height;
  widget.showing = widget.visible && !window.minimised;
  if (!widget.showing) return widget.children.forEach(hide);
  column(widget, window.x + 2 * GAP, window.y + 2 * GAP, OPEN);
}

/** How high a list is with all its rows. */
function rowsHeight(list: Widget): number {
  const rows = list.from.recycling ? list.from.options?.length ?? 0 : list.children.length;
  return rows * ROW_HEIGHT;
}

function hide(widget: Widget): void {
  widget.showing = false;
  for (const child of widget.children) hide(child);
}

/** Places a widget and what is in it; answers how much room it takes. */
function place(widget: Widget, x: number, y: number, clip: Clip): [width: number, height: number] {
  if (!widget.visible) {
    hide(widget);
    return [0, 0];
  }
  const { kind, from, spec } = widget;
  let width: number = from.width ?? spec.width;
  let height: number = from.height ?? spec.height;
  widget.x = x;
  widget.y = y;
  if (kind === "scroll") scrolled(widget, width, height);
  else if (kind === "list") height = rows(widget, x, y, width, clip);
  else if (kind === "tabs") [width, height] = pages(widget, x, y, clip);
  else if (kind === "menu" || kind === "combo") overlay(widget, x, y + height);
  else if (widget.children.length > 0) {
    [width, height] = inside(widget, x, y, clip);
    width = from.width ?? width;
    height = from.height ?? height;
  }
  widget.width = width;
  widget.height = height;
  widget.showing = y < clip.bottom && y + height > clip.top;
  return [width, height];
}

function inside(widget: Widget, x: number, y: number, clip: Clip): [number, number] {
  const layout = widget.from.layout ?? (widget.kind === "menubar" ? "row" : "column");
  if (layout === "column") return column(widget, x, y, clip);
  const columns = layout === "row" ? widget.children.length : layout.grid;
  let across = 0, down = 0, width = 0, line = 0;
  widget.children.forEach((child, i) => {
    if (i > 0 && i % columns === 0) {
      down += line + GAP;
      across = line = 0;
    }
    const [w, h] = place(child, x + across, y + down, clip);
    across += w + GAP;
    width = Math.max(width, across);
    line = Math.max(line, h);
  });
  return [width, down + line];
}

function column(widget: Widget, x: number, y: number, clip: Clip): [number, number] {
  let width = 0, down = 0;
  for (const child of widget.children) {
    const [w, h] = place(child, x, y + down, clip);
    width = Math.max(width, w);
    if (h > 0) down += h + GAP;
  }
  return [width, down];
}

function scrolled(widget: Widget, width: number, height: number): void {
  const bar = widget.children.find((child) => child.kind === "scrollbar");
  const offset = bar?.value?.current ?? 0;
  const clip = { top: widget.y, bottom: widget.y + height };
  let down = 0;
  for (const child of widget.children) {
    if (child === bar) continue;
    const recycled = child.kind === "list" && child.from.recycling;
    const top = recycled ? widget.y - offset % ROW_HEIGHT : widget.y + down - offset;
    const [, h] = place(child, widget.x, top, clip);
    down += h + GAP;
  }
  if (bar?.value === undefined) return;
  bar.value.maximum = Math.max(0, down - GAP - height);
  bar.x = widget.x + width - BAR;
  bar.y = widget.y;
  bar.width = BAR;
  bar.height = height;
  bar.showing = true;
}

function rows(list: Widget, x: number, y: number, width: number, clip: Clip): number {
  const height = ROW_HEIGHT;
  const { children } = list;
  for (let i = 0; i < children.length; i++) {
    const row = children[i];
    if (row === undefined) continue;
    const top = y + i * height;
    row.x = x;
    row.y = top;
    row.width = width;
    row.height = height;
    row.showing = row.visible && top < clip.bottom && top + height > clip.top;
  }
  return rowsHeight(list);
}

function pages(tabs: Widget, x: number, y: number, clip: Clip): [number, number] {
  let across = 0, width = 0, height = 0;
  for (const tab of tabs.children) {
    const header = tab.spec.width;
    tab.x = x + across;
    tab.y = y;
    tab.width = header;
    tab.height = tab.spec.height;
    tab.showing = y < clip.bottom && y + tab.height > clip.top;
    across += header;
    if (tab.isChosen()) {
      const [w, h] = column(tab, x, y + tab.height + GAP, clip);
      width = w;
      height = h;
    } else tab.children.forEach(hide);
  }
  return [Math.max(across, width), tabs.spec.height + GAP + height];
}

/** The open popup of a menu or combo box, over everything else. */
function overlay(widget: Widget, x: number, y: number): void {
  if (!widget.open) return widget.children.forEach(hide);
  let down = 0;
  for (const child of widget.children) {
    const [, h] = place(child, x, y + down, OPEN);
    down += h;
  }
}
