import { existsSync } from "node:fs";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { ACTS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import { processOf } from "../participants/process.ts";
import { confine } from "./confine.ts";

/** Starts an application, or brings it to the front. */
export const launch = defineOperation({
  name: "launch",
  title: "Launch an application and wait for its window",
  description:
    "Starts an application by the id of its desktop entry or the name of its program and waits for its " +
    "window; one that runs already comes to the front.",
  input: z.strictObject({
    app: z.string().describe("Id of its desktop entry (org.gnome.TextEditor), or the name of its program."),
    args: z.array(z.string().max(4_000)).max(100).optional().describe("Further arguments."),
    files: z.array(z.string().min(1).max(4_000)).max(20).optional().describe(
      "Files to open: below the project's folder, or \"~/…\" in the desktop's HOME.",
    ),
  }),
  output: z.strictObject({
    app: z.string().describe("As it was asked for."),
    name: z.string().describe("What it calls itself."),
    pid: z.int(),
    was_already_running: z.boolean(),
  }),
  hints: { ...ACTS, destructive: false, idempotent: true },
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
      ],
      examples: [
        "backstep launch org.gnome.TextEditor",
        "backstep launch gedit --file notes.txt --session k7f2m9",
      ],
      toText: (output) => {
        const parsed = z.looseObject({ name: z.string(), pid: z.number(), was_already_running: z.boolean() })
          .safeParse(output);
        if (!parsed.success) return JSON.stringify(output);
        const { name, pid, was_already_running } = parsed.data;
        return `${was_already_running ? "activated" : "launched"} ${name} (process ${pid})`;
      },
    },
  },
  resolve: ({ session }) => Promise.resolve(session.launcher),
  effect: () => "compensable",
  reaches: ({ app, args = [] }) => [{ by: "program", app, args }],
  protects: (input, launcher) => [processOf(launcher, input.app)],
  subject: (input) => input.app,
  async act(context, input) {
    const { session, deadline } = context;
    const files: string[] = [];
    for (const path of input.files ?? []) files.push(await fileOf(context, path));
    const args = [...(input.args ?? []), ...files];
    const options = { ...deadline.call(), ...(args.length === 0 ? {} : { args }) };
    const { applicationName, processId, wasAlreadyRunning } = await session.launcher.launch(
      input.app,
      options,
    );
    return { app: input.app, name: applicationName, pid: processId, was_already_running: wasAlreadyRunning };
  },
  inverse: (input, output) =>
    output.was_already_running ? undefined : { operation: "quit", input: { app: input.app } },
});

/** A file that is there, as an absolute path: no program can take one for an option. */
async function fileOf(context: Context, path: string): Promise<string> {
  const file = await confine(context, path, "open");
  if (existsSync(file)) return file;
  throw new BackstepError("invalid", `Cannot open ${path}: there is no such file in ${context.folder}`, {
    hint: 'Give a path relative to that folder, or one that starts with "~/".',
  });
}
