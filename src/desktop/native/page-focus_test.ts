import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import { buildSnapshot } from "../build.ts";
import { State, type StateName } from "../states.ts";
import { PageFocus } from "./page-focus.ts";

const HOST = { bus: ":1.3", name: "host", pid: 7, toolkit: "gtk", toolkitVersion: "3.24.38" };
const FOCUSED = (1 << State.focused) >>> 0;
const FIELD = ":1.4/org/field";

/** A window with a button beside a page that has a field; another window with a button. */
function tree(button: readonly StateName[], other: readonly StateName[] = []) {
  return buildSnapshot({
    role: "application",
    children: [
      {
        role: "frame",
        path: "/window",
        children: [
          { role: "pushButton", path: "/button", also: ["focusable", ...button] },
          {
            role: "documentWeb",
            path: ":1.4/org/page",
            children: [
              { role: "entry", path: FIELD, also: ["focusable", "focused"] },
            ],
          },
        ],
      },
      { role: "frame", path: "/other", children: [{ role: "pushButton", path: "/far", also: other }] },
    ],
  }, HOST);
}

/** `now`: the paths that have the focus when they are asked. */
function focusWith(now: ReadonlySet<string>, asked: string[] = []): PageFocus {
  return new PageFocus((paths) => {
    asked.push(...paths);
    return Promise.resolve(
      paths.map((path) => ({ rect: [], states: { statesLow: now.has(path) ? FOCUSED : 0, statesHigh: 0 } })),
    );
  });
}

const hasFocus = (snapshot: ReturnType<typeof tree>) =>
  snapshot.has(snapshot.rowOf({ bus: HOST.bus, path: FIELD }), "focused");
const corrected = (focus: PageFocus, low: number, path = FIELD) =>
  focus.corrected(low, path, HOST, Deadline.after(1_000));

Deno.test("a field of a page has not the focus in a tree where a button beside the page has", () => {
  const snapshot = tree(["focused"]);
  focusWith(new Set()).learn(snapshot);
  assert.equal(hasFocus(snapshot), false);
});

Deno.test("it has while nothing beside the page has, whatever another window says", () => {
  const snapshot = tree([], ["focused"]);
  focusWith(new Set()).learn(snapshot);
  assert.equal(hasFocus(snapshot), true);
});

Deno.test("a field that is read by itself is asked for with what is beside its page in its window", async () => {
  const asked: string[] = [];
  const taken = focusWith(new Set(["/button"]), asked);
  taken.learn(tree([]));
  assert.equal(await corrected(taken, FOCUSED | 1), 1);
  assert.deepEqual(asked, ["/button"]);
  const free = focusWith(new Set(["/far"]));
  free.learn(tree([]));
  assert.equal(await corrected(free, FOCUSED | 1), FOCUSED | 1);
});

Deno.test("nothing is asked for what does not say that it has the focus, or is no part of a page", async () => {
  const asked: string[] = [];
  const focus = focusWith(new Set(["/button"]), asked);
  focus.learn(tree([]));
  assert.equal(await corrected(focus, 1), 1);
  assert.equal(await corrected(focus, FOCUSED, "/button"), FOCUSED);
  focus.forget(HOST.bus);
  assert.equal(await corrected(focus, FOCUSED), FOCUSED);
  assert.deepEqual(asked, []);
});
