import { equal, ok, throws } from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { FAKE_CATALOGUE } from "./fake-catalogue.ts";
import { parseWorkflow } from "./parse.ts";

function faultOf(source: string | Uint8Array): BackstepError {
  try {
    parseWorkflow(source, { file: "f.yaml", operations: FAKE_CATALOGUE, checkSelector });
  } catch (error) {
    if (error instanceof BackstepError) return error;
    throw error;
  }
  throw new Error("the file was accepted");
}

/** A stand-in for the selector parser: a closing bracket must follow an opening one. */
function checkSelector(text: string): void {
  const position = text.indexOf("[");
  if (position < 0 || text.includes("]")) return;
  throw new BackstepError("selector", `Cannot parse ${text}: "]" is missing`, {
    details: { position: position + 1 },
  });
}

const place = (error: BackstepError) => `${error.place?.line}:${error.place?.column}`;

/** A file with these lines as its steps, which begin at line 3. */
const steps = (...lines: string[]) => ["name: n", "steps:", ...lines].join("\n");
/** A file with these lines before its steps. */
const head = (...lines: string[]) => ["name: n", ...lines, "steps: []"].join("\n");

const bytes = (...values: number[]) => new Uint8Array(values);

interface Case {
  readonly source: string | Uint8Array;
  readonly at: string;
  readonly message: string;
  readonly hint?: string;
}

const CASES: Readonly<Record<string, Case>> = {
  // The document
  "an empty file": { source: "", at: "1:1", message: "the file is empty", hint: "`name:`" },
  "a file of comments only": { source: "# nothing\n", at: "1:1", message: "the file is empty" },
  "a file that says null": { source: "~", at: "1:1", message: "the file is empty" },
  "a file that is no UTF-8": { source: bytes(0x61, 0x0a, 0x62, 0xff), at: "2:2", message: "not UTF-8" },
  "several documents": { source: "name: n\n---\nname: m\n", at: "2:1", message: "more than one document" },
  "a duplicate key": {
    source: "name: n\nname: m\nsteps: []",
    at: "2:1",
    message: "the key is already there",
  },
  "a tab as indentation": {
    source: "name: n\nsteps:\n\t- click: a",
    at: "3:1",
    message: "a tab is used to indent",
  },
  "an open quote": { source: "name: 'n\nsteps: []", at: "2:10", message: "Missing closing 'quote" },
  "an unknown tag": { source: "name: !x n\nsteps: []", at: "1:7", message: "Unresolved tag" },
  "an unknown alias": { source: "name: *n\nsteps: []", at: "1:7", message: 'there is no anchor "n"' },
  "an alias to what contains it": {
    source: "name: n\nsteps: &s [*s]",
    at: "2:12",
    message: 'the alias "s" contains itself',
  },
  "a merge key": { source: "name: n\n<<: { app: x }\nsteps: []", at: "2:1", message: "merge keys" },
  "a bare placeholder": {
    source: steps("  - click: {{vars.x}}"),
    at: "3:13",
    message: "a key is a list or a map",
    hint: "Quote placeholders",
  },
  "a number that cannot be kept": {
    source: head("vars: { n: 12345678901234567890 }"),
    at: "2:12",
    message: "cannot be kept exactly",
    hint: "Quote it",
  },
  "a list": { source: "- click: x", at: "1:1", message: "a workflow takes a map, not a list" },
  // The top level
  "no name": { source: "steps: []", at: "1:1", message: 'the workflow needs "name"' },
  "no steps": { source: "name: n", at: "1:1", message: 'the workflow needs "steps"' },
  "a misspelt key": {
    source: "name: n\nstpes: []",
    at: "2:1",
    message: 'unknown key "stpes" in the workflow',
    hint: 'Did you mean "steps"?',
  },
  "a name that is a number": {
    source: "name: 7\nsteps: []",
    at: "1:7",
    message: "name takes a text",
    hint: '"7"',
  },
  "an unknown session": {
    source: head("session: isolatd"),
    at: "2:10",
    message: 'session cannot be the text "isolatd"',
    hint: 'Did you mean "isolated"?',
  },
  "an unknown on_failure": {
    source: head("on_failure: rolback"),
    at: "2:13",
    message: "on_failure",
    hint: '"rollback"',
  },
  "a timeout without a unit": {
    source: head("timeout: '60'"),
    at: "2:10",
    message: "takes a duration",
    hint: '"10s"',
  },
  "a negative timeout": { source: head("timeout: -1"), at: "2:10", message: "takes a duration" },
  "files, which come later": {
    source: head("files: [a]"),
    at: "2:1",
    message: "`files:` is not supported yet",
  },
  "an unknown status": {
    source: head("expect: { status: fail }"),
    at: "2:19",
    message: "expect.status cannot be",
  },
  "tags that are a text": { source: head("tags: smoke"), at: "2:7", message: "tags takes a list" },
  "a variable of no type": {
    source: head("vars: { x: { type: strng } }"),
    at: "2:20",
    message: 'the type of "x" cannot be the text "strng"',
    hint: 'Did you mean "string"?',
  },
  "a default of another type": {
    source: head("vars: { x: { type: number, default: a } }"),
    at: "2:37",
    message: 'the default of "x" is the text "a", not a number',
  },
  "a variable without value": {
    source: head("vars: { x: }"),
    at: "2:12",
    message: 'the variable "x" has no value',
  },
  "a placeholder as a default": {
    source: head("vars: { x: '{{env.X}}' }"),
    at: "2:12",
    message: "a default cannot",
  },
  "a secret in the clear": {
    source: head("secrets: ['hunter2!']"),
    at: "2:11",
    message: "a secret is the name of an environment variable",
  },
  // Steps
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
  "a savepoint, which comes later": {
    source: steps("  - savepoint: s"),
    at: "3:5",
    message: "`savepoint:` is not supported yet",
  },
  "changes, which come later": {
    source: steps("  - click: a", "    changes: { only: [a] }"),
    at: "4:5",
    message: "`changes:` is not supported yet",
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
  // Inputs
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
  // Structure
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
  // Tools
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
  // Placeholders
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
};

for (const [name, { source, at, message, hint }] of Object.entries(CASES)) {
  Deno.test(`${name} is refused at ${at}: ${message}`, () => {
    const error = faultOf(source);
    equal(error.code, "workflow");
    ok(error.message.includes(message), error.message);
    equal(place(error), at);
    equal(error.place?.file, "f.yaml");
    if (hint !== undefined) ok((error.hint ?? "").includes(hint), error.hint);
  });
}

Deno.test("one fault is reported once", () => {
  for (const [name, { source }] of Object.entries(CASES)) {
    const error = faultOf(source);
    if (name === "a list") continue;
    equal(error.details?.["total"], 1, `${name}: ${JSON.stringify(error.details?.["faults"])}`);
  }
});

Deno.test("all faults of a file are reported at once, in the order they stand", () => {
  const error = faultOf(
    ["nam: n", "session: x", "steps:", "  - clik: a", "  - set: { target: a, value: 1 }"].join("\n"),
  );
  const faults = error.details?.["faults"];
  ok(Array.isArray(faults));
  const lines = faults.map((fault) => JSON.stringify(fault).match(/"line":(\d+)/)?.[1]);
  equal(lines.join(" "), "1 2 4 5");
  equal(error.message, 'unknown key "nam" in the workflow');
});

Deno.test("no more than twenty faults are reported, and the rest is counted", () => {
  const error = faultOf(steps(...Array.from({ length: 30 }, () => "  - clik: a")));
  const faults = error.details?.["faults"];
  ok(Array.isArray(faults));
  equal(faults.length, 20);
  equal(error.details?.["total"], 30);
});

Deno.test("an alias bomb is refused", () => {
  const lines = ["name: n", "a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 9; i++) lines.push(`a${i}: &a${i} [${Array(9).fill(`*a${i - 1}`).join(", ")}]`);
  const error = faultOf([...lines, "steps: []"].join("\n"));
  ok(JSON.stringify(error.details).includes("aliases"), error.message);
});

Deno.test("brackets without end are refused", () => {
  throws(() => parseWorkflow("[".repeat(200_000), { file: "f.yaml", operations: [] }), { code: "workflow" });
  const nested = `name: n\nsteps: ${"[".repeat(500)}${"]".repeat(500)}`;
  ok(faultOf(nested).message.includes("nest"), faultOf(nested).message);
});

Deno.test("steps nest 32 levels and no more", () => {
  const nest = (levels: number) =>
    `{"name":"n","steps":${'[{"transaction":'.repeat(levels - 1)}[{"click":"a"}]${"}]".repeat(levels - 1)}}`;
  equal(parseWorkflow(nest(32), { file: "f.yaml", operations: FAKE_CATALOGUE }).steps.length, 1);
  ok(faultOf(nest(33)).message.includes("deeper than 32 levels"));
});

Deno.test("a file has 10,000 steps and no more", () => {
  const many = (count: number) => steps(...Array.from({ length: count }, () => "- press: a"));
  ok(faultOf(many(10_001)).message.includes("more than 10000 steps"));
  equal(parseWorkflow(many(10_000), { file: "f.yaml", operations: FAKE_CATALOGUE }).steps.length, 10_000);
});

Deno.test("a file beyond one MiB is refused", () => {
  ok(faultOf(`name: n\nsteps: []\n#${"x".repeat(1 << 20)}`).message.includes("larger than"));
});
