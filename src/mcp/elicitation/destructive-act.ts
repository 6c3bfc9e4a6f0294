import type { Hit } from "../../policy/judgement/hit.ts";
import type { McpCall } from "../server/call.ts";
import { ask, type Reply, shown } from "./ask.ts";

/** Elements that one question names. */
export const MOST_NAMED = 10;

/** Asks before an act that destroys, or of which what it does is unknown (scenario 3). Accepted without the tick is a no. */
export async function confirmActs(hits: readonly Hit[], call: McpCall): Promise<Reply["is"]> {
  const reply = await ask(call, {
    mode: "form",
    message: questionOf(hits),
    requestedSchema: {
      type: "object",
      properties: {
        confirm: { type: "boolean", title: "Confirm destructive action", default: false },
      },
      required: ["confirm"],
    },
  });
  return reply.is === "accepted" && reply.content["confirm"] !== true ? "declined" : reply.is;
}

/** What a person is asked. What stands in quotes is the application's, and cannot end the quotes. */
export function questionOf(hits: readonly Hit[]): string {
  const [first, ...others] = hits;
  if (first === undefined) return "";
  const same = others.every(({ doing, app, kind }) =>
    doing === first.doing && app === first.app && kind === first.kind
  );
  const sentences = same ? [sentenceOf(first, hits)] : hits.map((hit) => sentenceOf(hit, [hit]));
  const apart = [...new Set(hits.flatMap((hit) => hit.apart))].slice(0, 4);
  const where = apart.length === 0 ? "" : ` It is in ${apart.map((text) => quoted(text, 60)).join(", ")}.`;
  const own = hits.some(({ kind, element }) => kind === "destructive" || element !== undefined);
  return `${sentences.join(" ")} This action may be irreversible.${where}${
    own ? "\nWhat stands in quotes is the application's own text." : ""
  }`;
}

function sentenceOf(hit: Hit, all: readonly Hit[]): string {
  const { kind, doing, name, app, why, element } = hit;
  const place = app === "" ? "" : ` in ${nameOfApp(app)}`;
  if (kind === "program") return `This will ${doing} ${quoted(name)}.`;
  if (kind === "unknown") {
    const what = element === undefined ? shown(name) : "an element without a name";
    return `This will ${doing}${what === "" ? "" : ` ${what}`}${place}: ${why ?? "what it does is unknown"}.`;
  }
  const names = all.slice(0, MOST_NAMED).map((one) => quoted(one.name || one.word || ""));
  return `This will ${doing} ${names.length > 1 ? `one of ${names.join(", ")}` : names[0] ?? ""}${place}.`;
}

/** A text of an application between quotes that it cannot end. */
export function quoted(text: string, most = 120): string {
  return `'${shown(text, most).replaceAll("'", "’")}'`;
}

/** What an application calls itself is plain, or stands in quotes: else it could say more than a name. */
function nameOfApp(name: string): string {
  const plain = shown(name, 80);
  return /^[\p{L}\p{N}][\p{L}\p{N} _.+-]{0,39}$/u.test(plain) && !/[.] /.test(plain)
    ? plain
    : quoted(name, 80);
}
