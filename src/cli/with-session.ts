import { toBackstepError } from "../base/error.ts";
import { oneLine } from "../report/style.ts";
import type { ChosenDesktop } from "../session/open-chosen.ts";
import type { Session } from "../session/session.ts";
import type { Arguments, Command } from "./command.ts";
import { settingsOf } from "./desktop-options.ts";
import { endAbandoned } from "./end-abandoned.ts";
import type { Io } from "./io.ts";
import { interrupts } from "./signals.ts";

/** Which desktop a command is to have, and how. */
export interface SessionChoice extends ChosenDesktop {
  /** Launched first on a desktop that begins empty. */
  readonly app?: string;
  readonly signal?: AbortSignal;
  /** Say on a terminal which desktop it is; default true. Not where the report says so itself. */
  readonly announced?: boolean;
  /** Asked when it is over: whether the private desktop is to stay for whoever finishes this. */
  readonly leave?: () => boolean;
}

/** What `--mode` says, if anything. */
export function modeOf(args: Pick<Arguments, "string">): { readonly mode?: string } {
  const mode = args.string("mode");
  return mode === undefined ? {} : { mode };
}

/**
 * Opens the chosen desktop, runs `action`, and closes what was opened, whatever happened. Which kind it was is always
 * told: one desktop never stands in silently for another.
 */
export async function withSession<T>(
  choice: SessionChoice,
  io: Io,
  action: (session: Session) => Promise<T>,
): Promise<T> {
  const signal = choice.signal ? { signal: choice.signal } : {};
  if (choice.session === "isolated") await endAbandoned(io);
  const { openChosen } = await import("../session/open-chosen.ts");
  const session = await openChosen(choice, signal);
  return await closing(session, io, () => choice.leave?.() === true, async () => {
    if (choice.announced !== false) io.aside(`on ${session.label}`);
    const empty = session.kind === "simulated" || choice.session === "isolated";
    if (empty && choice.app !== undefined) await session.launcher.launch(choice.app, signal);
    return await action(session);
  });
}

/** What holds where the command line does not say it: by default the person's own desktop, as it is. */
export type Unsaid = Pick<SessionChoice, "app" | "mode" | "settings"> & { readonly session?: string };

/** Runs `action` on the one desktop that the command line says. `stop` fires when somebody ends the command. */
export async function onOneDesktop<T>(
  command: Pick<Command, "name">,
  args: Arguments,
  io: Io,
  unsaid: Unsaid,
  action: (session: Session, stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const wanted = settingsOf(command, args);
  const settings = wanted === undefined ? {} : { settings: { ...unsaid.settings, ...wanted } };
  const session = args.string("session") ?? unsaid.session ?? "attach";
  const asked = interrupts(() => {});
  try {
    return await withSession(
      { ...unsaid, ...modeOf(args), ...settings, session, signal: asked.stop },
      io,
      (session) => action(session, asked.stop),
    );
  } finally {
    asked.release();
  }
}

/** Closes the session after the action. Why the action failed is never hidden by a session that does not close either. */
export async function closing<T>(
  session: Pick<Session, "close">,
  io: Pick<Io, "note">,
  leave: () => boolean,
  action: () => Promise<T>,
): Promise<T> {
  let done: { readonly value: T };
  try {
    done = { value: await action() };
  } catch (error) {
    await session.close({ leave: leave() }).catch((second: unknown) => {
      io.note(oneLine(toBackstepError(second).message));
    });
    throw error;
  }
  await session.close({ leave: leave() });
  return done.value;
}
