import type { Call, Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { BackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import { Status } from "../../ffi/status.ts";
import type { Application, ElementRef, Fingerprint } from "../element.ts";
import { confirm } from "../identity.ts";
import { saysWhatItIs } from "../toolkits.ts";
import { requestIfSame, requestOf, type Submission } from "./encode-action.ts";

/** What is asked of the desktop. */
export interface ActSource {
  submit(op: OpNumber, request: Bytes, call: Call, what: string): Promise<Bytes>;
  /** What identifies whoever answers at an element's address now. */
  fingerprint(element: ElementRef, deadline: Deadline, what: string): Promise<Fingerprint>;
  /** An application of which something was read. */
  application(bus: string): Application | undefined;
}

/**
 * Does something to an element that is still the one that was found: where it says exactly the same of itself the core does it
 * at once; else it is read, and the rule of `identity.ts` decides. Errors: `stale` when another answers at its address.
 */
export async function actIfSame(
  source: ActSource,
  element: ElementRef,
  submission: Submission,
  deadline: Deadline,
): Promise<Bytes> {
  const { op, what } = submission;
  const application = source.application(element.bus);
  // An item is the same only if it also shows the same.
  if (application && saysWhatItIs(application) && element.fingerprint.item === undefined) {
    try {
      return await source.submit(Op.ifSame, requestIfSame(element, submission), deadline.call(), what);
    } catch (thrown) {
      if (!isChanged(thrown)) throw thrown;
    }
  }
  try {
    confirm(what, element, await source.fingerprint(element, deadline, what));
  } catch (error) {
    throw beforeTheAction(error);
  }
  return await source.submit(op, requestOf(element, submission), deadline.call(), what);
}

function isChanged(thrown: unknown): boolean {
  return thrown instanceof BackstepError && thrown.details?.status === Status.changed;
}

/** What failed while looking at the element never reached the action, whatever became of the look. */
function beforeTheAction(error: unknown): unknown {
  if (!(error instanceof BackstepError)) return error;
  const { code, message, hint, place, details, cause } = error;
  return new BackstepError(code, message, {
    cause,
    ...defined({ hint, place }),
    details: { ...details, outcome: "not_sent" },
  });
}
