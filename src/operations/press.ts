import { z } from "zod";
import { WRITES } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import type { Application } from "../desktop/desktop.ts";
import { awaitFocus, focus } from "../desktop/actions/focus.ts";
import { inputMethod } from "../desktop/actions/input-method.ts";
import { pressAndLand } from "../desktop/actions/press-and-land.ts";
import { raise } from "../desktop/actions/window.ts";
import { keysymsOf } from "../desktop/keys.ts";
import { requireInput } from "../desktop/mode.ts";
import { isAccessible } from "../session/inaccessible.ts";
import { windowOwnerFor } from "./application.ts";
import { holdersOf } from "./effects.ts";
import { parseKeys } from "./keys.ts";
import { Outcome, outcomeOf, outcomeText, subjectOf } from "./outcome.ts";
import { locate, type Match, Target } from "./target.ts";
import { withTree } from "./with-tree.ts";
import { uncover } from "./uncover.ts";

/** Whom the keys are for; neither: whatever has the focus. */
interface Goal {
  readonly application: Application | undefined;
  readonly match: Match | undefined;
}

/** Presses keys. */
export const press = defineOperation({
  name: "press",
  title: "Press a key or a combination of keys",
  description:
    "Presses a key or a combination of keys, or several one after another. The effect of keys is not " +
    "known beforehand, so in a transaction the step needs `undo:` or `irreversible: true`.",
  input: z.strictObject({
    keys: z.string().min(1).max(200).describe(
      '"ctrl+s", "Escape", "ctrl++", "space"; several are separated by spaces.',
    ),
    into: Target.optional().describe("The element that gets the focus first."),
    app: z.string().min(1).optional().describe("The application whose window is first brought to the front."),
  }),
  output: Outcome,
  hints: WRITES,
  views: {
    yaml: { verb: "press", scalar: (value) => ({ keys: String(value) }) },
    cli: {
      command: "press",
      positionals: [{ property: "keys", description: 'The keys: "ctrl+s"', required: true, rest: true }],
      options: [{ property: "into", name: "element", description: "The element that gets the focus first" }],
      examples: ["backstep press ctrl+s --app gedit"],
      toText: (output) => outcomeText("pressed keys", output),
    },
  },
  async resolve(context, input): Promise<Goal> {
    // All of them are known before the first is pressed.
    parseKeys(input.keys).forEach(keysymsOf);
    requireInput(context.desktop, `press ${input.keys}`, "keyboard");
    if (input.into !== undefined) {
      const match = await locate(context, input.into);
      return { application: match.application, match };
    }
    const named = input.app !== undefined || context.app !== undefined;
    return { application: named ? await windowOwnerFor(context, input.app) : undefined, match: undefined };
  },
  effect: () => "irreversible",
  reaches: ({ keys }, { application, match }) => [
    { by: "keys", chords: parseKeys(keys), into: match, application: withTree(application) },
  ],
  protects: (_input, { match }) => match === undefined ? [] : holdersOf(match),
  subject: (input, { match }) => {
    const into = subjectOf(match);
    return into === undefined ? input.keys : `${input.keys} in ${into}`;
  },
  async act(context, input, { application, match }) {
    const { desktop, deadline } = context;
    if (match !== undefined) {
      await uncover(context, match);
      await focus(desktop, match.element, deadline);
    } else if (application !== undefined) {
      await raise(desktop, application, deadline);
      if (isAccessible(application)) await awaitFocus(desktop, application, deadline);
    }
    await pressAndLand(desktop, application ?? match?.application, parseKeys(input.keys), deadline);
    return outcomeOf(match, { method: inputMethod(desktop, "keys"), verified: false, tried: [] });
  },
});
