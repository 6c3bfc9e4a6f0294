import { refuses, steps } from "./_refusal.ts";

refuses({
  "a misspelt key of an input": {
    source: steps("  - click: { tagret: a }"),
    at: "3:14",
    message: 'unknown key "tagret" in click',
    hint: 'Did you mean "target"?',
  },
  "a missing key of an input": {
    source: steps("  - set: { target: a }"),
    at: "3:5",
    message: 'set needs "value"',
    hint: "Add `value:`",
  },
  "a missing key with a description": {
    source: steps("  - set:", "      value: a"),
    at: "3:5",
    message: 'set needs "target"',
    hint: "The element, as a selector",
  },
  "a number where a text belongs": {
    source: steps("  - set: { target: a, value: 7 }"),
    at: "3:30",
    message: "set.value takes a text, not the number 7",
    hint: 'Quote it: "7"',
  },
  "a word outside the choices": {
    source: steps("  - click: { target: a, button: rihgt }"),
    at: "3:33",
    message: 'click.button cannot be the text "rihgt"',
    hint: 'Did you mean "right"?',
  },
  "a choice where its key belongs": {
    source: steps("  - click: { target: a, right: true }"),
    at: "3:25",
    message: 'unknown key "right" in click',
    hint: "Write `button: right`.",
  },
  "a choice under another word": {
    source: steps("  - click: { target: a, mouse: middle }"),
    at: "3:25",
    message: 'unknown key "mouse" in click',
    hint: "Write `button: middle`.",
  },
  "a value that is none of a union's": {
    source: steps("  - click: { target: a, count: 4 }"),
    at: "3:32",
    message: "click.count cannot be the number 4",
    hint: "Possible: 1, 2, 3.",
  },
  "a misspelt key in a union": {
    source: steps("  - assert: { target: a, title: { contians: b } }"),
    at: "3:35",
    message: 'unknown key "contians" in assert.title',
    hint: 'Did you mean "contains"?',
  },
  "a value that fits no side of a union": {
    source: steps("  - assert: { target: a, title: [b] }"),
    at: "3:33",
    message: "assert.title takes a text or a map, not a list",
  },
  "a list for an operation": {
    source: steps("  - click: [a]"),
    at: "3:12",
    message: "click takes a map or a single value",
  },
  "a scalar for an operation without a short form": {
    source: steps("  - set: a"),
    at: "3:10",
    message: "set takes a map",
  },
  "an unparsable selector": {
    source: steps("  - click: 'button[name'"),
    at: "3:19",
    message: '"]" is missing',
  },
  "an unparsable selector in a condition": {
    source: steps("  - click: a", "    if: { gone: 'button[x' }"),
    at: "4:24",
    message: '"]" is missing',
  },
  "an unparsable selector in a target": {
    source: steps("  - click: { target: { selector: a, within: 'xy[z' } }"),
    at: "3:48",
    message: '"]" is missing',
  },
  "a misspelt key that the whole input misses": {
    source: steps("  - assert: { tagret: a }"),
    at: "3:15",
    message: 'unknown key "tagret" in assert',
  },
  "what only the whole input shows": {
    source: steps("  - assert: { exists: true }"),
    at: "3:13",
    message: "Say `target` or",
  },

  "an unknown tool": {
    source: steps("  - tool: ax_clik"),
    at: "3:11",
    message: 'unknown tool "ax_clik"',
    hint: '"ax_click"',
  },
  "a tool that comes later": {
    source: steps("  - tool: ax_drag"),
    at: "3:11",
    message: "ax_drag is not supported yet",
  },
  "a misspelt argument": {
    source: steps("  - tool: ax_click", "    args: { qurey: Save }"),
    at: "4:13",
    message: 'unknown key "qurey" in ax_click',
    hint: 'Did you mean "query"?',
  },
  "a missing argument": { source: steps("  - tool: ax_click"), at: "3:5", message: 'ax_click needs "query"' },
  "a placeholder that decides what a step is": {
    source: steps("  - tool: ax_click", "    args: { query: a, click_type: '{{env.X}}' }"),
    at: "4:35",
    message: "ax_click.click_type cannot hold a placeholder",
  },
  "an unknown on_fail": {
    source: steps("  - tool: ax_click", "    args: { query: a }", "    on_fail: skp"),
    at: "5:14",
    message: "on_fail cannot be",
    hint: '"skip"',
  },
  "args without a tool": {
    source: steps("  - click: a", "    args: {}"),
    at: "4:5",
    message: "belongs to a step with `tool:`",
  },
});
