import { defined } from "../../base/defined.ts";
import { BackstepError } from "../../base/error.ts";
import { openChosen } from "../../session/open-chosen.ts";
import type { Arguments, Command } from "../command.ts";
import { fileOf } from "../dev/file-of.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import { withSession } from "../with-session.ts";
import { isOwn, type LoadedFile, loadFile } from "../workflow-file.ts";

/** `backstep inspect FILE`: a run whose steps a person goes through in the page, forth and back. */
export async function inspectFile(command: Command, args: Arguments, file: string, io: Io): Promise<number> {
  let reading = 0;
  const load = () => loadFile(command, args, { file, reading: reading++ });
  const loaded = await load();
  const asked = interrupts(() => {});
  try {
    const { session: kind, settings, mode } = loaded;
    const wanted = { session: kind, settings, ...defined({ mode }) };
    return await withSession(
      { ...wanted, signal: asked.stop, announced: false },
      io,
      async (session) => {
        const { DeskPage } = await import("../../inspect/desk-page.ts");
        const { References } = await import("../../inspect/element/references.ts");
        const { StoredRuns } = await import("../../inspect/stored-runs.ts");
        const { Travel } = await import("../../inspect/travel.ts");
        const { InteractiveRun } = await import("../../engine/interactive/interactive-run.ts");
        const { consent } = await import("../consent.ts");
        const { operations, surroundings, folder } = loaded;
        const references = new References();
        const admission = consent();
        const run = await InteractiveRun.begin({
          file: fileOf(loaded),
          operations,
          session,
          surroundings,
          folder,
          admission: [...admission],
          elements: references,
        });
        const page = await DeskPage.open([new StoredRuns(undefined)]);
        const shown = {
          session,
          operations,
          folder,
          admission,
          references,
          beside: run.try.bind(run),
          ...defined({ app: loaded.workflow.app }),
        };
        const travel = new Travel({
          run,
          load: async () => fileOf(await load()),
          read: await readerOf(loaded),
          open: () => openChosen({ ...wanted, session: isOwn(kind) ? kind : "isolated" }, {}),
          async replaced() {
            await page.hide();
            page.show(shown, () => [travel]);
          },
        });
        travel.tell = (event, data) => page.tell(event, data);
        page.show(shown, () => [travel]);
        io.json({ what: "ready", url: page.url, session: session.label, run: run.run });
        io.text(`${page.url}\n`);
        io.aside("Open this address in a browser on this machine. Ctrl-C ends it.");
        try {
          await new Promise<void>((done) => {
            if (asked.stop.aborted) done();
            asked.stop.addEventListener("abort", () => done(), { once: true });
          });
        } finally {
          travel.close();
          await page.close();
          // On a desktop of somebody nothing is left that nobody asked for.
          await run.end({ rollback: !isOwn(kind) });
        }
        return 0;
      },
    );
  } finally {
    asked.release();
  }
}

/** Reads alternatives of a file, which name no other files. */
async function readerOf({ workflow, operations, program, vars }: LoadedFile) {
  const { parseWorkflow } = await import("../../workflow/parse.ts");
  return (text: string) => {
    if (program !== undefined) {
      throw new BackstepError("unsupported", "Cannot read this alternative: the file is a program");
    }
    return { workflow: parseWorkflow(text, { file: workflow.file, operations }), vars };
  };
}
