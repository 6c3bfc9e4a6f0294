import { existsSync } from "node:fs";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import { processOf } from "../participants/process.ts";
import { VARIABLE_NAME, whyRefused } from "../session/launch-environment.ts";
import { WRITES } from "../contract/effect.ts";
import { confine } from "./confine.ts";

/** Variables of the environment by their names; each that may not be set is a fault at its own place. */
const Environment = z.record(
  z.string().regex(VARIABLE_NAME),
  z.string().max(32_000),
).superRefine((variables, context) => {
  for (const name of Object.keys(variables)) {
    const why = whyRefused(name);
    if (why === undefined) continue;
    context.addIssue({ code: "custom", path: [name], message: `it cannot be set for a launch: ${why}` });
  }
});

/** Starts an application, or brings it to the front. */
export const launch = defineOperation({
  name: "launch",
  title: "Launch an application and wait for its window",
  description:
    "Starts an application by the id of its desktop entry or the name of its program, and waits for " +
    "its window. An application that already runs is brought to the front.",
  input: z.strictObject({
    app: z.string().describe("Id of its desktop entry (org.gnome.TextEditor), or the name of its program."),
    args: z.array(z.string().max(4_000)).max(100).optional().describe("Further arguments."),
    files: z.array(z.string().min(1).max(4_000)).max(20).optional().describe(
      "Files to open: below the project's folder, or \"~/…\" in the desktop's HOME.",
    ),
    env: Environment.optional().describe("Environment variables, in addition to those of the desktop."),
  }),
  output: z.strictObject({
    app: z.string().describe("The name that was given."),
    name: z.string().describe("Its own name."),
    pid: z.int(),
    was_already_running: z.boolean(),
    accessible: z.literal(false).optional().describe(
      "false: it has a window but no accessibility tree; use find_visual, click_at, type and press.",
    ),
  }),
  hints: { ...WRITES, destructive: false, idempotent: true },
  traits: { startsApplication: true },
  timeout: 30_000,
  views: {
    yaml: { verb: "launch", scalar: (value) => ({ app: String(value) }) },
    cli: {
      command: "launch",
      positionals: [{ property: "app", name: "id", description: "Its id or program", required: true }],
      options: [
        { property: "args", name: "arg", multiple: true, description: "An argument for it; may be repeated" },
        {
          property: "files",
          name: "file",
          kind: "path",
          multiple: true,
          description: "A file to open; may be repeated",
        },
        {
          property: "env",
          name: "env",
          kind: "variable",
          multiple: true,
          description: "A variable of its environment, NAME=value; may be repeated",
        },
      ],
      examples: [
        "backstep launch org.gnome.TextEditor",
        "backstep launch gedit --file notes.txt --session k7f2m9",
        "backstep launch gedit --env LANGUAGE=de --session k7f2m9",
      ],
      toText: ({ name, pid, was_already_running, accessible }) => {
        const how = accessible === false
          ? ": a window without accessibility; find-visual, click-at, type and press reach it"
          : "";
        return `${was_already_running ? "activated" : "launched"} ${name} (process ${pid})${how}`;
      },
    },
  },
  resolve: ({ session }) => Promise.resolve(session.launcher),
  effect: () => "compensable",
  // A variable changes what a program does as an argument does.
  reaches: ({ app, args = [], env = {} }) => [
    { by: "program", app, args: [...args, ...Object.keys(env).map((name) => `${name}=`)] },
  ],
  protects: (input, launcher) => [processOf(launcher, input.app)],
  subject: (input) => input.app,
  async act(context, input) {
    const { session, deadline } = context;
    const files: string[] = [];
    for (const path of input.files ?? []) files.push(await fileOf(context, path));
    const args = [...(input.args ?? []), ...files];
    const options = {
      ...deadline.call(),
      ...(args.length === 0 ? {} : { args }),
      ...defined({ environment: input.env }),
    };
    const launched = await session.launcher.launch(input.app, options);
    return {
      app: input.app,
      name: launched.applicationName,
      pid: launched.processId,
      was_already_running: launched.wasAlreadyRunning,
      ...defined({ accessible: launched.accessible }),
    };
  },
  inverse: (input, output) =>
    // By its process: the same word may have launched others, which stay.
    output.was_already_running
      ? undefined
      : { operation: "quit", input: { app: input.app, pid: output.pid } },
});

/** A file that is there, as an absolute path: no program can take one for an option. */
async function fileOf(context: Context, path: string): Promise<string> {
  const file = await confine(context, path, "open");
  if (existsSync(file)) return file;
  throw new BackstepError("invalid", `Cannot open ${path}: there is no such file in ${context.folder}`, {
    hint: 'Give a path relative to that folder, or one that starts with "~/".',
  });
}
