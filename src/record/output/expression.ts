import { BackstepError } from "../../base/error.ts";
import { parseTemplate } from "../../engine/model/template.ts";
import { member, quoted, textWith } from "./code.ts";
import type { Recording } from "./model.ts";

/**
 * A text of a file as an expression of a program: `{{vars.x}}` is `t.vars.x`, `{{secrets.X}}` is `t.secret("X")`. Throws
 * `invalid` for other placeholders.
 */
export function expression(text: string, { vars }: Pick<Recording, "vars">): string {
  const template = parseTemplate(text, () => ({ file: "", line: 1, column: 1 }));
  if (typeof template !== "object" || template === null) return quoted(String(template ?? ""));
  if (template.kind === "map" || template.kind === "list") return quoted(text);
  const parts = template.kind === "placeholder" ? [template] : template.parts;
  return textWith(parts.map((part) => {
    if (typeof part === "string") return { text: part };
    const [root, name = "", ...deeper] = part.path;
    if (deeper.length === 0 && root === "secrets") return { code: `t.secret(${quoted(name)})` };
    if (deeper.length === 0 && root === "vars" && Object.hasOwn(vars, name)) {
      return { code: `t.vars${member(name)}` };
    }
    throw new BackstepError("invalid", `a program cannot say ${part.source}`);
  }));
}
