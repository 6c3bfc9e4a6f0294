import { closest } from "../../base/closest.ts";
import type { StateWord } from "../state-words.ts";
import type { AttributeName } from "./ast.ts";

const ATTRIBUTES: Readonly<Record<string, AttributeName>> = {
  AXTitle: "name",
  AXLabel: "name",
  AXValue: "value",
  AXDescription: "description",
  AXHelp: "description",
  AXIdentifier: "id",
  AXRole: "role",
  AXSubrole: "role",
  AXPlaceholderValue: "@placeholder-text",
  bundleIdentifier: "application",
  bundleId: "application",
};

/** Attributes that hold true or false. */
const STATES: Readonly<Record<string, readonly [yes: StateWord, no: StateWord | undefined]>> = {
  AXEnabled: ["enabled", "disabled"],
  AXFocused: ["focused", undefined],
  AXSelected: ["selected", undefined],
  AXExpanded: ["expanded", "collapsed"],
  AXMain: ["active", undefined],
  AXModal: ["modal", undefined],
};

/** The state words of an attribute that holds true or false; undefined for any other. */
export function axState(name: string): readonly [StateWord, StateWord | undefined] | undefined {
  return Object.hasOwn(STATES, name) ? STATES[name] : undefined;
}

/** An application's title is its name, whichever way it is asked for. */
export function axAttribute(name: string, application: boolean): AttributeName {
  const existing = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
  if (application && existing === "name") return "application";
  return existing ?? `@${name}`;
}

/** All AX attributes that can be asked for. */
export const axAttributes: readonly string[] = [...Object.keys(ATTRIBUTES), ...Object.keys(STATES)];

/** Is this an AX attribute that cannot be asked for? Others are the toolkit's own and may be anything. */
export function isForeign(name: string): boolean {
  return /^AX/.test(name) && !axAttributes.includes(name);
}

/** The nearest known attributes, with their @. */
export function nearAttributes(name: string): string[] {
  return closest(name, axAttributes).map((near) => `@${near}`);
}
