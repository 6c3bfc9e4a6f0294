/**
 * The victim of the crash matrix: runs a workflow on a desktop that is there, and kills itself with SIGKILL at one point.
 * Its argument is JSON; `at` is the number of a point, or its name and which of those that are called so. Without one it prints every
 * point that it passed.
 */
import process from "node:process";
import { catalogue } from "../../src/catalogue.ts";
import { killingDesktop, killingSink, type Point } from "../../src/engine/run/_kill.ts";
import { runWith } from "../../src/engine/run/run.ts";
import { openSession } from "../../src/session/open-session.ts";
import { loadWorkflow } from "../../src/workflow/load.ts";

const { state, desktop, file, root, run, at } = JSON.parse(process.argv[2] ?? "{}");
const passed: string[] = [];
const point = (where: Point, what: string) => {
  const name = `${where}: ${what}`;
  passed.push(name);
  const [one, nth = 1] = Array.isArray(at) ? at : [at];
  const named = one === name && passed.filter((other) => other === name).length === nth;
  if (passed.length - 1 === one || named) process.kill(process.pid, "SIGKILL");
};
const session = await openSession({ kind: "attach", id: desktop, state });
try {
  const result = await runWith(loadWorkflow(file, { operations: catalogue, root }), {
    operations: catalogue,
    session: {
      kind: session.kind,
      label: session.label,
      desktop: killingDesktop(session.desktop, point),
      launcher: session.launcher,
      home: session.home,
      id: session.id,
      close: (how) => session.close(how),
    },
    vars: {},
    surroundings: { env: () => undefined, secret: () => undefined },
    folder: root,
    state,
    run,
    sink: killingSink(point),
  });
  console.log(JSON.stringify({ status: result.status, error: result.error ?? null, passed }));
} finally {
  await session.close({ leave: true });
}
