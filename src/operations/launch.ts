import { z } from "zod";
import { ACTS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";

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
      options: [],
      examples: ["backstep launch org.gnome.TextEditor"],
      toText: (output) => {
        const parsed = z.looseObject({ name: z.string(), pid: z.number(), was_already_running: z.boolean() })
          .safeParse(output);
        if (!parsed.success) return JSON.stringify(output);
        const { name, pid, was_already_running } = parsed.data;
        return `${was_already_running ? "activated" : "launched"} ${name} (process ${pid})`;
      },
    },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "compensable",
  subject: (input) => input.app,
  async act({ session, deadline }, input) {
    const options = { ...deadline.call(), ...(input.args === undefined ? {} : { args: input.args }) };
    const { applicationName, processId, wasAlreadyRunning } = await session.launcher.launch(
      input.app,
      options,
    );
    return { app: input.app, name: applicationName, pid: processId, was_already_running: wasAlreadyRunning };
  },
  inverse: (input, output) =>
    output.was_already_running ? undefined : { operation: "quit", input: { app: input.app } },
});
