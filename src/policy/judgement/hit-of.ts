import { defined } from "../../base/defined.ts";
import type { Application } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { axOf } from "../../desktop/vocabulary.ts";
import { destructiveWord } from "./destructive-words.ts";
import { apartOf, wordsOf } from "./element-words.ts";
import { type Hit, markOf } from "./hit.ts";

/** What it is to do what an element is for, by what a tree says of it and of what is around it. */
export function hitOf(snapshot: Snapshot, row: number, doing: string): Hit {
  const { application } = snapshot.origin;
  const { row: target, name, texts, unreadable } = wordsOf(snapshot, row);
  const word = texts.map(destructiveWord).find((one) => one !== undefined);
  const { item, group, window } = apartOf(snapshot, target);
  const element = snapshot.element(target);
  const { bus, path } = element;
  return {
    kind: word !== undefined ? "destructive" : unreadable !== undefined ? "unknown" : "harmless",
    doing,
    name,
    app: application.name,
    role: snapshot.role(target),
    ax: axOf(snapshot, target).role,
    ...defined({ word, why: unreadable }),
    apart: [
      ...(item === "" || item === name ? [] : [item]),
      ...(group === "" || group === window ? [] : [group]),
      ...(window === "" || window.toLowerCase() === application.name.toLowerCase() ? [] : [window]),
    ],
    mark: markOf({
      bus,
      path,
      words: name,
      around: [item, group].join("\n"),
      place: placeIn(snapshot, target),
    }),
    element,
  };
}

/** What is not known, as something that can be asked for. `name` is what would be done. */
export function unknownHit(
  application: Pick<Application, "name" | "bus"> | undefined,
  doing: string,
  name: string,
  why: string,
): Hit {
  return {
    kind: "unknown",
    doing,
    name,
    app: application?.name ?? "",
    why,
    apart: [],
    mark: markOf({ bus: application?.bus ?? "", path: undefined, words: name, around: "" }),
  };
}

/** From the corner of its window. */
function placeIn(snapshot: Snapshot, row: number): { x: number; y: number } | undefined {
  let top = row;
  for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) top = up;
  const [own, window] = [snapshot.rect(row), snapshot.rect(top)];
  return own && window ? { x: own.x - window.x, y: own.y - window.y } : undefined;
}
