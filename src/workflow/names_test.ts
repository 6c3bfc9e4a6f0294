import { refuses, steps } from "./_refusal.ts";

refuses({
  "a malformed placeholder": {
    source: steps("  - click: 'ab {{vars.'"),
    at: "3:16",
    message: "malformed placeholder",
  },
  "an undeclared variable": {
    source: ["name: n", "vars: { title: a }", "steps:", "  - click: 'x{{vars.titel}}'"].join("\n"),
    at: "4:14",
    message: 'unknown placeholder {{vars.titel}}: the variable "titel" is not declared',
    hint: 'Did you mean "title"?',
  },
  "a variable without its root": {
    source: ["name: n", "vars: { title: a }", "steps:", "  - click: '{{title}}'"].join("\n"),
    at: "4:13",
    message: 'there is no "title"',
    hint: "Write {{vars.title}}.",
  },
  "a field of a text": {
    source: ["name: n", "vars: { title: a }", "steps:", "  - click: '{{vars.title.x}}'"].join("\n"),
    at: "4:13",
    message: "is a string and has no fields",
  },
  "an undeclared secret": {
    source: steps("  - click: '{{secrets.T}}'"),
    at: "3:13",
    message: "is not declared",
    hint: "secrets: [T]",
  },
  "a secret read as an environment variable": {
    source: ["name: n", "secrets: [T]", "steps:", "  - click: '{{env.T}}'"].join("\n"),
    at: "4:13",
    message: '"T" is a secret',
  },
  "a later step's id": {
    source: steps("  - click: '{{steps.b.x}}'", "  - click: b", "    id: b"),
    at: "3:13",
    message: 'no earlier step has the id "b"',
  },
  "an id inside a branch": {
    source: steps("  - if: { exists: a }", "    then: [{ click: a, id: b }]", "  - click: '{{steps.b.x}}'"),
    at: "5:13",
    message: 'no earlier step has the id "b"',
    hint: "in a branch or loop",
  },
  "a step's own number": {
    source: steps("  - click: '{{step_1.x}}'"),
    at: "3:13",
    message: "step 1 has not run here",
  },
  "a loop variable after its loop": {
    source: steps("  - for_each: { in: [1], as: row, steps: [] }", "  - click: '{{vars.row}}'"),
    at: "4:13",
    message: 'the variable "row" is not declared',
  },
});
