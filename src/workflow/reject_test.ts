import { head, refuses, steps } from "./_refusal.ts";

refuses({
  "a rejection without a reason": {
    source: steps("  - reject:"),
    at: "3:12",
    message: "reject takes a reason as a text, not nothing",
    hint: "`reject: The customer is unknown`",
  },
  "a rejection with an empty reason": {
    source: steps("  - reject: ' '"),
    at: "3:13",
    message: "reject takes a reason as a text",
  },
  "a rejection that is optional": {
    source: steps("  - reject: no", "    optional: true"),
    at: "3:5",
    message: "`reject:` cannot be `optional:`",
  },
  "a rejection with retries": {
    source: steps("  - reject: no", "    retry: 2"),
    at: "4:5",
    message: "`retry:` belongs to a step that acts",
  },
  "a rejection whose reason names nothing": {
    source: steps("  - reject: 'No {{vars.who}}'"),
    at: "3:17",
    message: 'the variable "who" is not declared',
  },
  "a rejection in `after:`": {
    source: head("after: [ { reject: no } ]"),
    at: "2:12",
    message: "`reject:` is not possible in `after:`",
  },
  "a rejection in an undo": {
    source: steps("  - click: button", "    undo: [ { if: { exists: a }, then: [ { reject: no } ] } ]"),
    at: "4:44",
    message: "`reject:` is not possible in `undo:`",
  },
});
