import { isActionWhat } from "../../src/contract/rollback-what.ts";
import type { RollbackResult } from "../../src/contract/events.ts";
import { ASPECTS, COLOURS, ITEMS } from "./form.ts";

/** The key behind a name that a result uses: `text of textfield "Alpha"` is alpha, `label "Count 2"` count. */
export function keyIn(label: string): string | undefined {
  if (label.includes("clipboard")) return "clipboard";
  if (label.startsWith("process ")) return "process";
  // Qt Quick tells no name of it, and there is one.
  if (label.endsWith(" passwordfield")) return "pin";
  const word = /"(\w+)/.exec(label)?.[1]?.toLowerCase();
  return word !== undefined && ASPECTS.has(word) ? word : undefined;
}

/** The combo box; Qt calls one after what it shows, and in Chromium the nameless menu inside of it tells what is chosen. */
const LANGUAGE = new RegExp(`"(Language|${ITEMS.language.join("|")})"|of menu$`);

/** What an enrolled participant protects: the keys of it. */
export function keysOf(label: string): readonly string[] {
  if (label.startsWith("choice in the group of")) return COLOURS;
  // A row is protected as its list's choice.
  if (label.startsWith("selection of") || label.startsWith("choice of")) {
    return LANGUAGE.test(label) ? ["language"] : ["rows"];
  }
  const key = keyIn(label);
  // GTK 4.8 tells no radio buttons from check boxes: what is beside each other is protected together.
  if (label.endsWith(" and those beside it")) {
    return COLOURS.some((one) => one === key) ? COLOURS : ["wrap", "wifi"];
  }
  return key === undefined ? [] : [key];
}

/** The keys of which a rollback says that they are not as they were, or may not be; and the paths whose actions stay. */
export function named(back: RollbackResult): { readonly keys: Set<string>; readonly paths: Set<string> } {
  const keys = new Set<string>();
  const paths = new Set<string>();
  const add = (label: string) => {
    for (const key of keysOf(label)) keys.add(key);
  };
  for (const { participant } of back.drift) add(participant);
  for (const { participant } of back.beside ?? []) add(participant);
  for (const { what, verdict, path, incidental } of back.steps) {
    if (incidental || verdict === "restored" || verdict === "already" || verdict === "compensated") continue;
    if (isActionWhat(what)) paths.add(path);
    else add(what);
  }
  for (const { label, verdict } of back.enrolled) if (verdict !== "restored") add(label);
  return { keys, paths };
}
