import { fileURLToPath } from "node:url";
import { catalogue } from "../src/catalogue.ts";
import type { RunResult } from "../src/contract/events.ts";
import { readSelector, strategies } from "../src/desktop/selector/mod.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import type { Session } from "../src/session/session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

/** The project itself, which relative paths of a workflow start from unless another folder is given. */
const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Runs the text of a workflow file on a session, as a file of the catalogue's verbs and nothing else. */
export function runText(
  text: string,
  { folder = ROOT, ...how }: {
    readonly session: Session;
    readonly state: string;
    readonly folder?: string;
    /** Its number; default: a new one. */
    readonly run?: string;
    readonly evidence?: "on" | "off";
  },
): Promise<RunResult> {
  const workflow = parseWorkflow(text, {
    file: "test.yaml",
    operations: catalogue,
    checkSelector: (selector, strategy) => {
      readSelector(selector, strategies.find((one) => one === strategy));
    },
  });
  return runWorkflow(workflow, {
    ...how,
    operations: catalogue,
    vars: {},
    surroundings: { env: () => undefined, secret: () => undefined },
    folder,
  });
}
