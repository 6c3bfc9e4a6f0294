import { head, refuses, steps } from "./_refusal.ts";

const bytes = (...values: number[]) => new Uint8Array(values);

refuses({
  "an empty file": { source: "", at: "1:1", message: "the file is empty", hint: "`name:`" },
  "a file of comments only": { source: "# nothing\n", at: "1:1", message: "the file is empty" },
  "a file that says null": { source: "~", at: "1:1", message: "the file is empty" },
  "a file that is no UTF-8": { source: bytes(0x61, 0x0a, 0x62, 0xff), at: "2:2", message: "not UTF-8" },
  "several documents": { source: "name: n\n---\nname: m\n", at: "2:1", message: "more than one document" },
  "a duplicate key": {
    source: "name: n\nname: m\nsteps: []",
    at: "2:1",
    message: 'the key "name" is already there, in line 1',
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
});
