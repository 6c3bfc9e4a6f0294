import { isExcepted } from "./exceptions.ts";
import { phrasesIn } from "./phrases.ts";
import { FOREIGN, type NameRule, NAMES } from "./rules.ts";
import { tokensOf } from "./tokens.ts";

/** The names and phrases of a source that are forbidden, as `file:line: what`; each name once. */
export function faultsInCode(file: string, source: string): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { kind, text, line } of tokensOf(source)) {
    if (kind === "identifier") {
      if (seen.has(text)) continue;
      seen.add(text);
      const rule = ruleAgainst(file, partsOf(text), text);
      if (rule) faults.push(`${file}:${line}: \`${text}\`: say ${rule.say}`);
    } else {
      for (const { phrase, say, at } of phrasesIn(file, text)) {
        faults.push(`${file}:${line + text.slice(0, at).split("\n").length - 1}: "${phrase}": say ${say}`);
      }
    }
  }
  return faults;
}

/** What is forbidden in the path of a file. */
export function faultsInName(file: string): string[] {
  const names = file.split("/").map((name) => name.replace(/\..*$/, ""));
  return names.flatMap((name) => {
    const rule = ruleAgainst(file, partsOf(name), name);
    return rule ? [`${file}: the name "${name}": say ${rule.say}`] : [];
  });
}

/** "lastDeed_of" is "last", "deed", "of". */
function partsOf(name: string): string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase().split(/[\s_$-]+/).filter((part) => part !== "");
}

function ruleAgainst(file: string, parts: readonly string[], name: string): NameRule | undefined {
  if (FOREIGN.has(name)) return undefined;
  const joined = ` ${parts.join(" ")} `;
  return NAMES.find((rule) =>
    rule.words.some((word) => joined.includes(` ${word} `)) && (rule.only?.test(file) ?? true) &&
    !isExcepted(file, rule.except)
  );
}
