import {
  Composer,
  CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  Parser,
  type Scalar,
  visit,
} from "yaml";
import { BackstepError } from "../../base/error.ts";
import type { Replacement } from "./replacement.ts";

/**
 * A YAML text in which one scalar has another value: comments, spacing and quotes stay, and so does every other byte. Throws
 * `workflow` where no scalar has this value, several have it, or it is a block scalar or an anchor: a block cannot be
 * written again as it stands, and what an anchor names stands for other steps, too.
 */
export function patchYaml(text: string, { from, to, line, key }: Replacement): string {
  const counter = new LineCounter();
  const tokens = [...new Parser(counter.addNewLine).parse(text)];
  const documents = [...new Composer({ keepSourceTokens: true }).compose(tokens)];
  const broken = documents.some((document) => document.errors.length > 0);
  if (broken || documents.length !== 1) throw refused("the file cannot be read as one YAML document");
  const found: Scalar[] = [];
  for (const document of documents) {
    const inside = key === undefined ? document.contents : valueAt(document, key, counter);
    if (!isNode(inside)) continue;
    visit(inside, {
      Scalar(place, node) {
        if (place !== "key" && node.value === from) found.push(node);
      },
    });
  }
  const wanted = found.filter((node) =>
    line === undefined || counter.linePos(node.range?.[0] ?? 0).line === line
  );
  const [node, ...more] = wanted;
  if (node === undefined) throw refused(`no string of the file is ${JSON.stringify(from)}`);
  if (more.length > 0) throw refused(`${wanted.length} strings of the file are ${JSON.stringify(from)}`);
  const token = node.srcToken;
  if (!isScalar(node) || token === undefined || token.type === "block-scalar" || !CST.isScalar(token)) {
    throw refused("it is a block scalar, which cannot be written again as it stands");
  }
  if (node.anchor !== undefined) throw refused("it is an anchor: other steps have this string, too");
  if (token.source.includes("\n")) throw refused("it goes over several lines");
  CST.setScalarValue(token, to);
  const patched = tokens.map((one) => CST.stringify(one)).join("");
  // Only what was meant may differ: what is read again has this string in this place.
  const again = [...new Composer().compose(new Parser().parse(patched))];
  if (again.some((document) => document.errors.length > 0)) throw refused("it cannot be written there");
  return patched;
}

/** The value of the key that begins at a place; of a step in the raw form, its arguments. */
function valueAt(
  document: Document.Parsed,
  { line, column }: { readonly line: number; readonly column: number },
  counter: LineCounter,
): Node | undefined {
  let value: Node | undefined;
  visit(document, {
    Map(_, map, around) {
      const pair = map.items.find(({ key }) => {
        if (!isScalar(key)) return false;
        const at = counter.linePos(key.range?.[0] ?? 0);
        return at.line === line && at.col === column;
      });
      if (pair === undefined) return undefined;
      const own = isScalar(pair.value) && pair.key !== undefined
        ? map.items.find(({ key }) => isScalar(key) && key.value === "args")?.value ?? pair.value
        : pair.value;
      const anchored = [map, own, ...around].some((one) => (isMap(one) || isNode(one)) && hasAnchor(one));
      if (anchored || isAlias(own)) throw refused("it is an anchor: other steps have this string, too");
      value = isNode(own) ? own : undefined;
      return visit.BREAK;
    },
  });
  return value;
}

function hasAnchor(node: Node): boolean {
  return "anchor" in node && node.anchor !== undefined;
}

function refused(reason: string): BackstepError {
  return new BackstepError("workflow", `Cannot patch the workflow file: ${reason}`, {
    hint: "Change the selector by hand.",
  });
}
