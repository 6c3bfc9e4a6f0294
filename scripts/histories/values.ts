import { ASPECTS, FORM, OTHER } from "./form.ts";
import type { History } from "./live.ts";

/** One value that became another, as the world's log has it. */
export interface Step {
  readonly key: string;
  /** Index of its entry in the log. */
  readonly at: number;
  /** "late": our action, that came to pass after we had given up on it. */
  readonly by: "us" | "late" | "other";
  /** JSON text. */
  readonly before: string;
  readonly after: string;
  /** Path of the step that did it; undefined: the rollback itself, or nobody knows. */
  readonly path: string | undefined;
}

/** Every change of what can be protected, in order. */
export function changesOf({ log, calls, reported }: History): Step[] {
  const paths = new Map(calls.map((call) => [call.at, call.path]));
  /** Launching and quitting are no calls to the desktop. */
  const stepAt = (at: number): string | undefined => {
    const last = reported.findLast(({ event, at: when }) =>
      when <= at && (event.event === "step-started" || event.event === "step-finished")
    );
    return last?.event.event === "step-started" ? last.event.path : undefined;
  };
  return log.flatMap((entry, at) =>
    entry.changes.flatMap(({ app, element, what, before, after }): Step[] => {
      const key = app === OTHER && what === "running"
        ? "process"
        : what === "clipboard"
        ? "clipboard"
        : app === FORM && ASPECTS.get(element) === what
        ? element
        : undefined;
      if (key === undefined) return [];
      const by = entry.by === "caller" ? "us" : entry.did.startsWith("late ") ? "late" : "other";
      const [a, b] = [JSON.stringify(before), JSON.stringify(after)];
      return a === b
        ? []
        : [{ key, at, by, before: a, after: b, path: paths.has(at) ? paths.get(at) : stepAt(at) }];
    })
  );
}
