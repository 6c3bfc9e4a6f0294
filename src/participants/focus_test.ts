import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { instead } from "../desktop/_instead.ts";
import type { Desktop, Window } from "../desktop/desktop.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { focusOf } from "./focus.ts";

const CALL = { timeout: 5_000 };

/** The focus of an application, captured, then moved to another field. */
async function moved(real: Desktop) {
  const [application] = await real.applications();
  assert.ok(application);
  const participant = focusOf({ application });
  const image = await participant.capture(real, CALL);
  const tree = await real.snapshot(application, CALL);
  const row = Array.from({ length: tree.size }, (_, at) => at)
    .find((at) => tree.has(at, "focusable") && !tree.has(at, "focused"));
  assert.ok(row !== undefined);
  await real.act(tree.element(row), { do: "focus" }, CALL);
  assert.notDeepEqual(await participant.capture(real, CALL), image);
  return { participant, image };
}

Deno.test("the focus comes back at once into a window that is young: it has been acted in", async () => {
  const real = simulate({ applications: ["sim.settings"] });
  const { participant, image } = await moved(real);
  const windows = async (): Promise<Window[]> =>
    (await real.windows()).map((window) => ({ ...window, age: 10, active: true }));
  let looked = 0;
  const desktop = instead(real, {
    windows,
    snapshot: (of, options) => {
      looked++;
      return real.snapshot(of, options);
    },
  });
  assert.equal(await participant.restore(image, desktop, CALL), "Component.GrabFocus");
  assert.deepEqual(await participant.capture(real, CALL), image);
  assert.equal(looked, 1, "it is found, and nothing waits for what else may take the keyboard");
});

Deno.test("a focus that does not come is said to be late, whatever was being read then", async () => {
  const real = simulate({ applications: ["sim.settings"] });
  const { participant, image } = await moved(real);
  const desktop = instead(real, {
    act: (_element, _action, call) =>
      new Promise((_, reject) => {
        setTimeout(
          () => reject(new BackstepError("timeout", "Cannot act: the application did not answer in time")),
          call?.timeout,
        );
      }),
  });
  await assert.rejects(async () => await participant.restore(image, desktop, CALL), {
    code: "timeout",
    message: /^Cannot restore the focus of .+: it did not come within 600 ms$/,
  });
});
