import { z } from "zod";
import { READS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { Interface } from "../desktop/interfaces.ts";
import { State } from "../desktop/states.ts";
import { isIn } from "../desktop/actions/label.ts";
import { brief, ElementInfo, infoOf, infoText } from "./element-info.ts";
import { subjectOf } from "./outcome.ts";
import { FULL, locate, Target } from "./target.ts";

const output = ElementInfo.extend({
  app: z.string(),
  toolkit: z.string(),
  actions: z.array(z.string()),
  interfaces: z.array(z.string()).describe("AT-SPI interfaces it implements."),
  all_states: z.array(z.string()).describe("Every AT-SPI state that is set."),
  attributes: z.record(z.string(), z.string()).describe("Further attributes of the toolkit."),
  children: z.int(),
  caret: z.int().optional().describe("In characters."),
  text_selection: z.tuple([z.int(), z.int()]).optional(),
  selected_children: z.array(z.int()).optional(),
});

/** Everything that is known of one element. */
export const attributes = defineOperation({
  name: "attributes",
  title: "Read all properties of an element",
  description: "Reads all properties of one element: role, name, states, actions, attributes, place.",
  input: z.strictObject({ target: Target }),
  output,
  hints: READS,
  views: {
    yaml: { verb: "attributes", scalar: (target) => ({ target: String(target) }) },
    cli: {
      command: "attributes",
      positionals: [{
        property: "target",
        name: "query",
        description: "The element",
        required: true,
        rest: true,
      }],
      options: [],
      examples: [`backstep attributes 'button[name="Save"]' --format json`],
      toText,
    },
  },
  resolve: (context, input) => locate(context, input.target, "attached", FULL),
  effect: () => "read",
  subject: (_input, match) => subjectOf(match),
  async act(context, _input, { application, snapshot, row, element }) {
    const reading = await context.desktop.read(element, context.deadline.call());
    const { caret, textSelection, selectedChildren } = reading;
    return {
      ...infoOf(snapshot, row),
      app: application.name,
      toolkit: [application.toolkit, application.toolkitVersion].filter((s) => s !== "").join(" "),
      actions: [...reading.actions],
      interfaces: Object.entries(Interface).filter(([, bit]) => (reading.interfaces & bit) !== 0).map(([n]) =>
        n
      ),
      all_states: namesOf(State).filter((name) => isIn(reading, name)),
      attributes: Object.fromEntries(Object.entries(reading.attributes).map(([k, v]) => [k, brief(v)])),
      children: reading.childCount,
      ...(caret >= 0 ? { caret } : {}),
      ...(textSelection === undefined ? {} : { text_selection: pair(textSelection) }),
      ...(selectedChildren === undefined ? {} : { selected_children: selectedChildren.slice(0, 100) }),
    };
  },
});

function pair([start, end]: readonly [number, number]): [number, number] {
  return [start, end];
}

function namesOf<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  const existing = (key: string): key is K => Object.hasOwn(record, key);
  return Object.keys(record).filter(existing);
}

function toText(reported: z.infer<typeof output>): string {
  const { name: _name, role: _role, ...rest } = reported;
  const lines = Object.entries(rest).filter(([, v]) => v !== undefined);
  return [
    infoText(reported),
    ...lines.map(([k, v]) => `  ${k}: ${typeof v === "string" ? v : JSON.stringify(v)}`),
  ]
    .join("\n");
}
