import { BackstepError } from "../base/error.ts";
import { ELEMENT_REFERENCE, type ReferencedElement } from "../contract/elements.ts";
import type { Context } from "../contract/operation.ts";
import type { Application, SnapshotField, SnapshotSource } from "../desktop/desktop.ts";
import { confirm, nameOf } from "../desktop/identity.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { applicationFor } from "./application.ts";

/** What a selector stands for where it is a reference to an element; undefined: it is a selector. */
export function referredTo(
  context: Pick<Context, "elements">,
  selector: string,
): ReferencedElement | undefined {
  const reference = selector.trim();
  return context.elements && ELEMENT_REFERENCE.test(reference) ? context.elements.get(reference) : undefined;
}

/** The element of a reference in a snapshot of its application; `lost` says why it is not there. */
export interface Referred {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number | undefined;
  readonly lost: BackstepError | undefined;
}

/**
 * Finds the element of a reference in its application, in what the desktop keeps of it first: what is not there, or is
 * another, is looked for once more in the application itself. Errors: `stale` (its application is gone too), `invalid` (it
 * is another application's).
 */
export async function findReferred(
  context: Context,
  existing: ReferencedElement,
  asked: {
    readonly selector: string;
    readonly app: string | undefined;
    readonly fields: readonly SnapshotField[];
  },
): Promise<Referred> {
  const { desktop, deadline } = context;
  const { element } = existing;
  const running = await desktop.applications(deadline.call());
  const application = running.find(({ bus }) => bus === element.bus);
  if (application === undefined) {
    throw stale(asked.selector, existing, `${existing.application.name} does not run any more`);
  }
  if (asked.app !== undefined) {
    const named = await applicationFor(context, asked.app);
    if (named.bus !== application.bus) {
      throw new BackstepError(
        "invalid",
        `Cannot use ${asked.selector}: it is an element of ${application.name}, not of ${named.name}`,
        { hint: "Name its application, or find the right element first." },
      );
    }
  }
  const fields = [...new Set<SnapshotField>([...asked.fields, "id"])];
  const read = async (source: SnapshotSource): Promise<Referred> => {
    const snapshot = await desktop.snapshot(application, { ...deadline.call(), source, fields });
    return { application, snapshot, ...referredIn(snapshot, existing, asked.selector) };
  };
  // Lists show other items in the same rows, and what is kept may be behind.
  if (element.fingerprint.item !== undefined) return await read("application");
  const kept = await read("mirror");
  // Whatever the mirror does not show, or shows otherwise, is said of the application only.
  return kept.lost === undefined || kept.snapshot.origin.source === "application"
    ? kept
    : await read("application");
}

/** The row of an element that a reference stands for, in a whole snapshot of its application. */
export function referredIn(
  snapshot: Snapshot,
  existing: ReferencedElement,
  reference: string,
): Pick<Referred, "row" | "lost"> {
  const row = snapshot.rowOf(existing.element);
  if (row < 0) return { row: undefined, lost: stale(reference, existing, "it is gone") };
  const lost = changed(reference, existing, snapshot, row);
  return { row: lost ? undefined : row, lost };
}

function changed(
  reference: string,
  existing: ReferencedElement,
  snapshot: Snapshot,
  row: number,
): BackstepError | undefined {
  try {
    confirm(`use ${reference}`, existing.element, snapshot.element(row).fingerprint);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof BackstepError && thrown.code === "stale") return thrown;
    throw thrown;
  }
}

function stale(reference: string, { element, application }: ReferencedElement, why: string): BackstepError {
  return new BackstepError(
    "stale",
    `Cannot use ${reference}, ${nameOf(element)} of ${application.name}: ${why}`,
    {
      hint: "Find the element again.",
      details: { reference, path: element.path, outcome: "not_sent" },
    },
  );
}
