import { deepEqual } from "node:assert/strict";
import { placesOfKeys } from "./toml-places.ts";

Deno.test("keys have their line and column, past strings, lists, comments and dotted names", () => {
  const toml = `# [not] = "a table"
top = "a # b" # [x]
[one . "two three"] # c
  list = [ "]", # ]
    { a = 1 },
  ]
lit = 'c:\\'
multi = """
a = 1
\\""" [x] """
'q' . b = """x""""
[[many]]
k=1`;
  deepEqual([...placesOfKeys(toml)], [
    ["top", { line: 2, column: 1 }],
    ["one.two three", { line: 3, column: 1 }],
    ["one.two three.list", { line: 4, column: 3 }],
    ["one.two three.lit", { line: 7, column: 1 }],
    ["one.two three.multi", { line: 8, column: 1 }],
    ["one.two three.q.b", { line: 11, column: 1 }],
    ["many", { line: 12, column: 1 }],
    ["many.k", { line: 13, column: 1 }],
  ]);
});
