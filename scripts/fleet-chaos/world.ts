import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The irreversible actions of a job, by the path of their step. */
export const ACTIONS: ReadonlyMap<string, string> = new Map([
  ["2", "first"],
  ["4[1].1", "a"],
  ["4[2].1", "b"],
]);

/** A job on the simulated desktop: what it types comes back, what it sends does not. */
const SIMULATED = `name: Send an order in three parts
app: sim.editor
session: simulated
vars:
  id: { type: string, default: "0" }
before:
  - launch: sim.editor
steps:
  - type: { into: textarea, text: 'order {{vars.id}}' }
  - run_script: '{{vars.id}} first'
  - type: { into: textarea, text: ', sent' }
  - for_each:
      in: [a, b]
      as: part
      steps:
        - run_script: '{{vars.id}} {{vars.part}}'
`;

/** A job on a real GTK 3 application, which writes the same log when its button is pressed. */
const GTK3 = (application: string, log: string) =>
  `name: Send an order in three parts
app: send.py
session: isolated
vars:
  id: { type: string, default: "0" }
before:
  - launch: { app: /usr/bin/python3, args: [${JSON.stringify(application)}, ${
    JSON.stringify(log)
  }, '{{vars.id}}'] }
steps:
  - set: { target: 'textfield[name="Note"]', value: 'order {{vars.id}}' }
  - click: 'button[name="Send first"]'
  - set: { target: 'textfield[name="Note"]', value: 'order {{vars.id}}, sent' }
  - for_each:
      in: [a, b]
      as: part
      steps:
        - click: 'button[name="Send {{vars.part}}"]'
`;

/** Where the world is: outside of all workers, with a log that only actions write. */
export interface World {
  /** The workflow that jobs run. */
  readonly workflow: string;
  /** Goes before the workers' own PATH. */
  readonly programs: string;
  /** Each line is one action: "17 first". */
  lines(): string[];
}

/** Makes a world in a folder. */
export function makeWorld(folder: string, on: "simulated" | "gtk3"): World {
  const log = join(folder, "world.log");
  const programs = join(folder, "programs");
  const project = join(folder, "project");
  for (const one of [programs, project]) mkdirSync(one, { recursive: true });
  // What a workflow runs as a script: it takes its line, a moment, and appends it whole.
  const script = join(programs, "osascript");
  writeFileSync(
    script,
    `#!/bin/sh\nread -r line\nsleep 0.0$(( $$ % 5 ))\nprintf '%s\\n' "$line" >> '${log}'\n`,
  );
  chmodSync(script, 0o755);
  const workflow = join(project, "send.yaml");
  const application = join(import.meta.dirname ?? "", "send.py");
  writeFileSync(workflow, on === "simulated" ? SIMULATED : GTK3(application, log));
  return {
    workflow,
    programs,
    lines: () => existsSync(log) ? readFileSync(log, "utf8").split("\n").filter((line) => line !== "") : [],
  };
}
