import { resolve } from "node:path";
import process from "node:process";
import { defined } from "../../base/defined.ts";
import type { Command } from "../command.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import { ON_A_WORKFLOW } from "../workflow-file.ts";
import { onOneDesktop } from "../with-session.ts";

/** `backstep inspect [app]`. */
export const inspect: Command = {
  name: "inspect",
  summary: "Show a desktop in a page: its tree and picture, selectors, acts with undo, a recorder",
  details: [
    "Prints the address of a page on this machine. The page shows the accessibility tree of an application " +
    "beside the picture of the screen, live. An element has its properties, what can be done to it and undone, " +
    "and its selectors, ranked. A selector that you type shows what it matches.",
    "What you do in the page goes through the same gate as a workflow, and can be undone there, or later with " +
    "`backstep undo`.",
    "With a workflow file, the page has its steps: go on one step or all, go back to a step on the real desktop, and " +
    "fork from a step into alternatives, each on a private desktop.",
    "Only who has the address can use the page: the token after the # is not sent to anybody. Nothing is read and " +
    "no picture is taken while no page is open. Password fields are black. Ctrl-C ends it.",
  ],
  positionals: [{
    name: "app",
    description:
      "The application that is shown first; launched first on a new private desktop. Or a workflow file",
    required: false,
  }],
  options: [
    {
      name: "output",
      kind: "string",
      value: "<file>",
      description: "The workflow file that the recorder of the page writes; default recorded.yaml",
    },
    ...ON_A_WORKFLOW.filter(({ name }) => name !== "app"),
    ...DESKTOP_OPTIONS,
  ],
  examples: [
    "backstep inspect gedit",
    "backstep inspect gnome-calculator --session isolated",
    "backstep inspect --session k7f2m9 --format json",
    "backstep inspect order.yaml",
  ],
  async run(args, io) {
    const app = args.positionals[0];
    if (app !== undefined && /\.(ya?ml|ts|js)$/.test(app)) {
      const { inspectFile } = await import("./inspect-file.ts");
      return await inspectFile(inspect, args, app, io);
    }
    const output = resolve(args.string("output") ?? "recorded.yaml");
    return await onOneDesktop(inspect, args, io, defined({ app }), async (session, stop) => {
      const { openInspector } = await import("../../inspect/open.ts");
      const { catalogue } = await import("../../catalogue.ts");
      const { consent } = await import("../consent.ts");
      const opened = await openInspector({
        session,
        operations: catalogue,
        folder: process.cwd(),
        admission: consent(),
        output,
        ...defined({ app }),
      });
      try {
        io.json({ what: "ready", url: opened.url, session: session.label });
        io.text(`${opened.url}\n`);
        io.aside("Open this address in a browser on this machine. Ctrl-C ends it.");
        await new Promise<void>((done) => {
          if (stop.aborted) done();
          stop.addEventListener("abort", () => done(), { once: true });
        });
      } finally {
        await opened.close();
      }
      return 0;
    });
  },
};
