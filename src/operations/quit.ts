import { z } from "zod";
import { ACTS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";

/** Closes an application as a person would. */
export const quit = defineOperation({
  name: "quit",
  title: "Quit an application as a person would",
  description:
    "Closes the windows of an application and waits until it has ended; a question about unsaved work is " +
    "left open and reported.",
  input: z.strictObject({ app: z.string().describe("Id of its desktop entry, or its name.") }),
  output: z.strictObject({ app: z.string(), name: z.string() }),
  hints: ACTS,
  timeout: 15_000,
  views: {
    yaml: { verb: "quit", scalar: (value) => ({ app: String(value) }) },
    cli: {
      command: "quit",
      positionals: [{ property: "app", name: "id", description: "Its id or name", required: true }],
      options: [],
      examples: ["backstep quit org.gnome.gedit"],
      toText: (output) => {
        const parsed = z.looseObject({ name: z.string() }).safeParse(output);
        return parsed.success ? `quit ${parsed.data.name}` : JSON.stringify(output);
      },
    },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "irreversible",
  reaches: ({ app }) => [{ by: "quit", app }],
  subject: (input) => input.app,
  async act({ session, deadline }, input) {
    const { applicationName } = await session.launcher.quit(input.app, deadline.call());
    return { app: input.app, name: applicationName };
  },
});
