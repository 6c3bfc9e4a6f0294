import { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { harmless } from "../../report/style.ts";
import type { Session } from "../../session/session.ts";
import type { Command } from "../command.ts";
import { ON_ONE_DESKTOP } from "../desktop-options.ts";
import type { Io } from "../io.ts";
import { onOneDesktop } from "../with-session.ts";

/** `backstep explain <selector>`. */
export const explain: Command = {
  name: "explain",
  summary: "Say whether an element can be used, and why not",
  details: [
    "Reads once and names the first condition that is not met: the element exists, is the only match, " +
    "is visible, is enabled, does not move, and is not covered.",
  ],
  positionals: [{
    name: "selector",
    description: "As in workflow files: 'button[name=\"Save\"]'",
    required: true,
  }],
  options: [
    {
      name: "app",
      kind: "string",
      value: "<name>",
      description: "The application: its name, id or process id",
    },
    ...ON_ONE_DESKTOP,
  ],
  examples: [`backstep explain 'button[name="Save"]' --app gedit`],
  async run(args, io) {
    const selector = args.positionals[0] ?? "";
    const app = args.string("app");
    return await onOneDesktop(explain, args, io, defined({ app }), async (session, stop) => {
      return await explained(session, app, selector, Deadline.after(10_000, stop), io);
    });
  },
};

/** Says whether an element can be used; answers 0 where it can, else 1. */
export async function explained(
  session: Session,
  app: string | undefined,
  selector: string,
  deadline: Deadline,
  io: Io,
): Promise<number> {
  const { explain: look, Locator } = await import("../../desktop/locator/mod.ts");
  const { applicationFor } = await import("../../operations/application.ts");
  const { desktop } = session;
  const application = await applicationFor({ session, desktop, deadline, app }, undefined);
  const reported = await look(new Locator(desktop, { application, selector }), deadline.call());
  io.json(reported);
  const { style } = io;
  io.text(`${reported.ready ? style.good("✓") : style.bad("✗")} ${harmless(reported.sentence)}\n`);
  const hint = reported.error?.hint;
  if (hint !== undefined) io.text(`  ${harmless(hint)}\n`);
  io.text(style.dim(`  ${reported.matches} matched, read as ${reported.strategy}\n`));
  if (reported.coveredBy !== undefined) io.text(`  covered by ${harmless(reported.coveredBy)}\n`);
  return reported.ready ? 0 : 1;
}
