import type { Call } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";
import { oneLine } from "../report/style.ts";
import type { Session } from "../session/session.ts";
import type { Arguments } from "./command.ts";
import type { Io } from "./io.ts";

/** Which desktop a command is to have, and how. */
export interface SessionChoice {
  /** "attach", "isolated", "simulated", or the id of a desktop that was kept. */
  readonly session: string;
  /** Whether a desktop that was there before may be disturbed. */
  readonly mode?: string;
  /** Launched first on a desktop that begins empty. */
  readonly app?: string;
  readonly keep?: boolean;
  /** The run folder whose journal may need the desktop after a crash. */
  readonly journal?: string;
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
 * Opens the chosen desktop, runs `deed`, and closes what was opened, whatever happened. Which kind it was is always
 * told: one desktop never stands in silently for another.
 */
export async function withSession<T>(
  choice: SessionChoice,
  io: Io,
  deed: (session: Session) => Promise<T>,
): Promise<T> {
  const signal = choice.signal ? { signal: choice.signal } : {};
  const session = await open(choice, signal);
  return await closing(session, io, () => choice.leave?.() === true, async () => {
    if (choice.announced !== false) io.aside(`on ${session.label}`);
    const empty = session.kind === "simulated" || choice.session === "isolated";
    if (empty && choice.app !== undefined) await session.launcher.launch(choice.app, signal);
    return await deed(session);
  });
}

/** Closes the session after the deed. Why the deed failed is never hidden by a session that does not close either. */
export async function closing<T>(
  session: Pick<Session, "close">,
  io: Pick<Io, "note">,
  leave: () => boolean,
  deed: () => Promise<T>,
): Promise<T> {
  let done: { readonly value: T };
  try {
    done = { value: await deed() };
  } catch (error) {
    await session.close({ leave: leave() }).catch((second: unknown) => {
      io.note(oneLine(toBackstepError(second).message));
    });
    throw error;
  }
  await session.close({ leave: leave() });
  return done.value;
}

async function open(choice: SessionChoice, call: Call): Promise<Session> {
  const { openSession } = await import("../session/open-session.ts");
  const wanted = choice.mode;
  const mode = wanted === "background" || wanted === "focus" ? { mode: wanted } as const : {};
  switch (choice.session) {
    case "attach":
      return await openSession({ kind: "attach", ...mode }, call);
    case "isolated":
      return await openSession({
        kind: "isolated",
        ...(choice.keep === undefined ? {} : { keep: choice.keep }),
        ...(choice.journal === undefined ? {} : { journal: choice.journal }),
      }, call);
    case "simulated":
      return await openSession({ kind: "simulated", ...mode }, call);
    default:
      return await openSession({ kind: "attach", id: choice.session, ...mode }, call);
  }
}
