import { refuses, steps } from "./_refusal.ts";

refuses({
  "a misspelt verb": {
    source: steps("  - clik: button"),
    at: "3:5",
    message: 'unknown verb "clik"',
    hint: 'Did you mean "click"?',
  },
  "a misspelt key of a step": {
    source: steps("  - click: button", "    retyr: 2"),
    at: "4:5",
    message: 'unknown key "retyr" in a step',
    hint: 'Did you mean "retry"?',
  },
  "two verbs in one step": {
    source: steps("  - click: a", "    press: b"),
    at: "4:5",
    message: "it has `click:` and `press:`",
  },
  "a step that is a word": {
    source: steps("  - wait_idle"),
    at: "3:5",
    message: "a step takes a map",
    hint: "wait_idle: {}",
  },
  "a step without a verb": { source: steps("  - id: a"), at: "3:5", message: "the step says nothing to do" },
  "if without then": {
    source: steps("  - if: { exists: a }"),
    at: "3:5",
    message: "nothing to do",
    hint: "`then:`",
  },
  "then without if": {
    source: steps("  - click: a", "    then: []"),
    at: "4:5",
    message: "belongs to a step with `if:`",
  },
  "a soft step that acts": {
    source: steps("  - click: a", "    soft: true"),
    at: "4:5",
    message: "`soft:` belongs to a step that only looks, not to `click:`",
    hint: "`optional: true`",
  },
  "a soft transaction": {
    source: steps("  - transaction: [ { click: a } ]", "    soft: true"),
    at: "4:5",
    message: "`soft:` belongs to a step that only looks",
  },
  "a key of a step inside of its verb": {
    source: steps("  - assert: { target: a, soft: true }"),
    at: "3:26",
    message: 'unknown key "soft" in assert',
    hint: "write it beside `assert:`",
  },
  "a step that is soft and optional": {
    source: steps("  - assert: { target: a }", "    soft: true", "    optional: true"),
    at: "4:5",
    message: "`soft:` or `optional:`, not both",
  },
  "a rollback to nowhere": {
    source: steps("  - savepoint: saved", "  - rollback_to: svaed"),
    at: "4:18",
    message: 'there is no savepoint "svaed" before',
    hint: 'Did you mean "saved"?',
  },
  "a rollback to a savepoint that comes later": {
    source: steps("  - rollback_to: s", "  - savepoint: s"),
    at: "3:18",
    message: 'there is no savepoint "s" before',
    hint: "Set one first",
  },
  "a rollback to a savepoint of a branch that may not run": {
    source: steps("  - if: { exists: a }", "    then: [ { savepoint: s } ]", "  - rollback_to: s"),
    at: "5:18",
    message: 'there is no savepoint "s" before',
  },
  "a savepoint without a name": {
    source: steps("  - savepoint: {}"),
    at: "3:16",
    message: "savepoint takes a text",
  },
  "a savepoint that is to be tried again": {
    source: steps("  - savepoint: s", "    retry: 1"),
    at: "4:5",
    message: "`retry:` belongs to a step that acts",
  },
  "changes that say nothing": {
    source: steps("  - click: a", "    changes: {}"),
    at: "4:14",
    message: "changes says nothing",
  },
  "changes of something else": {
    source: steps("  - click: a", "    changes: { olny: [a] }"),
    at: "4:16",
    message: 'unknown key "olny" in changes',
  },
  "changes that are no selectors": {
    source: steps("  - click: a", "    changes: { only: [7] }"),
    at: "4:23",
    message: "changes.only takes selectors",
  },
  "changes of a savepoint": {
    source: steps("  - savepoint: s", "    changes: { only: [a] }"),
    at: "4:5",
    message: "`changes:` belongs to a step that acts",
  },
  "an undo on a transaction": {
    source: steps("  - transaction: []", "    undo: []"),
    at: "4:5",
    message: "`undo:` belongs to a step that acts",
  },
  "an id twice": {
    source: steps("  - click: a", "    id: x", "  - click: b", "    id: x"),
    at: "6:9",
    message: 'the id "x" is taken',
    hint: "Line 4",
  },
  "an id that no placeholder reaches": {
    source: steps("  - click: a", "    id: a b"),
    at: "4:9",
    message: "is no name",
  },
  "too many retries": {
    source: steps("  - click: a", "    retry: 101"),
    at: "4:12",
    message: "from 0 to 100",
  },
  "a retry of what is no action": {
    source: steps("  - repeat: { times: 2, steps: [] }", "    retry: 1"),
    at: "4:5",
    message: "`retry:` belongs to a step that acts or to a transaction, not to `repeat:`",
    hint: "`transaction:`",
  },
  "a retry of a condition": {
    source: steps("  - if: { exists: a }", "    retry: 1", "    then: []"),
    at: "4:5",
    message: "not to `if:`",
  },
  "optional that is no boolean": {
    source: steps("  - click: a", "    optional: yes"),
    at: "4:15",
    message: "optional takes true or false",
  },
  "a name with a placeholder": {
    source: steps("  - click: a", "    name: '{{env.X}}'"),
    at: "4:11",
    message: "name cannot hold",
  },

  "a repeat without an end": {
    source: steps("  - repeat: { steps: [] }"),
    at: "3:5",
    message: '"times" or "until"',
  },
  "a repeat beyond the cap": {
    source: steps("  - repeat: { times: 10001, steps: [] }"),
    at: "3:22",
    message: "from 0 to 10000",
  },
  "a loop over a text": {
    source: steps("  - for_each: { in: abc, as: x, steps: [] }"),
    at: "3:21",
    message: "for_each.in takes a list",
  },
  "a loop variable that hides another": {
    source: ["name: n", "vars: { x: 1 }", "steps:", "  - for_each: { in: [], as: x, steps: [] }"].join("\n"),
    at: "4:29",
    message: 'there is a variable "x" already',
  },
  "a transaction that is a text": {
    source: steps("  - transaction: a"),
    at: "3:18",
    message: "transaction takes a map",
  },
  "a transaction without steps": {
    source: steps("  - transaction: { name: a }"),
    at: "3:5",
    message: 'needs "steps"',
  },
  "a run where nothing can be loaded": {
    source: steps("  - run: a.yaml"),
    at: "3:10",
    message: "`run:` is not possible",
  },
  "a condition of no form": {
    source: steps("  - if: { exsits: a }", "    then: []"),
    at: "3:11",
    message: "if is no condition",
    hint: "{ exists: selector }",
  },
  "a condition with a strange key": {
    source: steps("  - if: { exists: a, witin: 1s }", "    then: []"),
    at: "3:22",
    message: 'unknown key "witin" in if',
    hint: 'Did you mean "within"?',
  },
  "equals of three": {
    source: steps("  - if: { equals: [1, 2, 3] }", "    then: []"),
    at: "3:19",
    message: "if.equals takes a list of two values",
  },
});
