import { z } from "zod";
import { defined } from "../base/defined.ts";
import { WRITES } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";

/** Closes an application as a person would. */
export const quit = defineOperation({
  name: "quit",
  title: "Quit an application as a person would",
  description:
    "Closes the windows of an application and waits until it has ended. A question about unsaved work " +
    "is answered as `unsaved` says, or left open and reported.",
  input: z.strictObject({
    app: z.string().describe("Id of its desktop entry, or its name."),
    pid: z.int().positive().optional().describe("The process, if several have that name."),
    unsaved: z.enum(["discard", "save", "fail"]).optional().describe(
      "The answer to a question about unsaved work. Default fail: the question is left open, and the " +
        "error names its buttons.",
    ),
  }),
  output: z.strictObject({ app: z.string(), name: z.string() }),
  hints: WRITES,
  timeout: 15_000,
  views: {
    yaml: { verb: "quit", scalar: (value) => ({ app: String(value) }) },
    cli: {
      command: "quit",
      positionals: [{ property: "app", name: "id", description: "Its id or name", required: true }],
      options: [
        { property: "pid", kind: "number", description: "Of several of that name, this process" },
        {
          property: "unsaved",
          description: "discard, save or fail: how a question about unsaved work is answered; default fail",
        },
      ],
      examples: ["backstep quit org.gnome.gedit", "backstep quit libreoffice-calc --unsaved discard"],
      toText: ({ name }) => `quit ${name}`,
    },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "irreversible",
  reaches: ({ app }) => [{ by: "quit", app }],
  subject: (input) => input.app,
  async act({ session, deadline }, input) {
    const { applicationName } = await session.launcher.quit(input.app, {
      ...deadline.call(),
      ...defined({ pid: input.pid, unsaved: input.unsaved }),
    });
    return { app: input.app, name: applicationName };
  },
});
