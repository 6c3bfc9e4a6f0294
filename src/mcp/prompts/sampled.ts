import { toBackstepError } from "../../base/error.ts";
import type { McpCall } from "../server/call.ts";
import { outlineOf } from "../server/outline.ts";
import { nextAction } from "../sampling/next-action.ts";
import { suggestLocators } from "../sampling/locators.ts";
import { type AppView, quoted } from "./view.ts";

/** Milliseconds that a prompt waits for the client's model: a person may have to allow it. */
const PATIENCE = 60_000;

/** What the client's own model would do first, as lines of data; none where it offers no model. */
export function plannedLines(goal: string, views: readonly AppView[], call: McpCall): Promise<string[]> {
  return asked(call, async (own) => {
    const planned = await nextAction({
      goal,
      interfaces: views.map((view) => ({ app: view.name, outline: outlineIn(view) })),
      history: call.session.history,
    }, own);
    return planned === undefined
      ? []
      : [`your client's model (${quoted(planned.model)}) would begin with:`, planned.text];
  });
}

/** Locators that the client's own model found with tools that only read, as lines of data. */
export function locatorLines(
  view: AppView,
  description: string,
  tried: string,
  call: McpCall,
): Promise<string[]> {
  // Its tools look at connected applications.
  if (view.app?.connected !== true) return Promise.resolve([]);
  const app = String(view.app.application.pid);
  return asked(call, async (own) => {
    const found = await suggestLocators({
      app,
      description,
      outline: outlineIn(view),
      ...(tried === "" ? {} : { tried }),
    }, own);
    if (found === undefined) return [];
    return [
      `your client's model (${quoted(found.model)}) suggests:`,
      ...found.suggested.map(({ query, count, reason }) =>
        `  ${quoted(query)}, which finds ${count ?? "nothing that can be read"}: ${quoted(reason)}`
      ),
      quoted(found.text),
    ];
  });
}

/** A prompt is answered without what its client's model did not say, and says why. */
async function asked(call: McpCall, ask: (own: McpCall) => Promise<string[]>): Promise<string[]> {
  if (!call.client.can.sampling) return [];
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(PATIENCE)]);
  try {
    return await ask({ ...call, signal });
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    return [`your client's model was asked and did not say: ${quoted(toBackstepError(thrown).message)}`];
  }
}

function outlineIn({ scene }: AppView): string {
  return scene === undefined ? "" : outlineOf(scene.snapshot, { limit: 200 }).text;
}
