import { catalogue } from "../catalogue.ts";
import type { Command } from "./command.ts";
import { audit } from "./commands/audit.ts";
import { check } from "./commands/check.ts";
import { completionsOf } from "./commands/completions.ts";
import { convert } from "./commands/convert.ts";
import { demo } from "./commands/demo.ts";
import { dev } from "./commands/dev.ts";
import { diff } from "./commands/diff.ts";
import { explain } from "./commands/explain.ts";
import { fleet } from "./commands/fleet.ts";
import { heal } from "./commands/heal.ts";
import { inspect } from "./commands/inspect.ts";
import { init } from "./commands/init.ts";
import { mcp } from "./commands/mcp.ts";
import { mergeReports } from "./commands/merge-reports.ts";
import { plan } from "./commands/plan.ts";
import { record } from "./commands/record.ts";
import { recover } from "./commands/recover.ts";
import { replay } from "./commands/replay.ts";
import { run } from "./commands/run.ts";
import { runs } from "./commands/runs.ts";
import { selector } from "./commands/selector.ts";
import { session } from "./commands/session.ts";
import { test } from "./commands/test.ts";
import { redo, undo } from "./commands/undo.ts";
import { operationCommand } from "./operation-command.ts";

/** Operations that people use by themselves, in the order of help: look first, then act. */
const derived = catalogue.flatMap((operation) => {
  const view = operation.views.cli;
  return view ? [{ operation, command: operationCommand(operation, view, () => catalogue) }] : [];
});

/** Every subcommand, in groups as help shows them. */
export const groups: readonly (readonly [string, readonly Command[]])[] = [
  ["Workflows", [
    init,
    record,
    run,
    dev,
    test,
    fleet,
    mergeReports,
    plan,
    recover,
    undo,
    redo,
    runs,
    diff,
    replay,
    heal,
    convert,
  ]],
  ["Read", [
    ...derived.filter((d) => d.operation.hints.readOnly).map((d) => d.command),
    audit,
    explain,
    selector,
  ]],
  ["Change", derived.filter((d) => !d.operation.hints.readOnly).map((d) => d.command)],
  ["Desktops", [check, inspect, session, demo]],
  ["Models", [mcp]],
  ["Shell", [completionsOf(() => groups.flatMap(([, list]) => list))]],
];
