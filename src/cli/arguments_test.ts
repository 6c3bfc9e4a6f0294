import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";

const command: Command = {
  name: "paint",
  summary: "Paint",
  positionals: [
    { name: "what", description: "What", required: true },
    { name: "how", description: "How", required: false, rest: true },
  ],
  options: [
    { name: "colour", kind: "string", description: "A colour", choices: ["red", "blue"] },
    { name: "by", kind: "string", description: "Who", multiple: true },
    { name: "by-name", kind: "string", description: "Who, once" },
    { name: "coats", kind: "number", description: "How many" },
    { name: "dry", kind: "boolean", description: "Let it dry", deniable: true },
    { name: "mix", kind: "string", description: "In which order", optional: true },
    { name: "all", kind: "boolean", description: "Everything" },
  ],
  run: () => Promise.resolve(0),
};

function refusal(...words: string[]): string {
  try {
    readArguments(command, words);
  } catch (error) {
    assert.ok(error instanceof BackstepError && error.code === "usage");
    return `${error.message} ${error.hint}`;
  }
  throw new Error(`${words.join(" ")} is taken`);
}

Deno.test("words, options and their values are distinguished", () => {
  const args = readArguments(command, [
    "door",
    "--coats=2",
    "--by",
    "a",
    "--by",
    "b",
    "very",
    "--all",
    "--",
    "--so",
  ]);
  assert.deepEqual(args.positionals, ["door", "very", "--so"]);
  assert.equal(args.number("coats"), 2);
  assert.deepEqual(args.strings("by"), ["a", "b"]);
  assert.equal(args.boolean("all"), true);
  assert.equal(args.given("dry"), false);
});

Deno.test("a value that may be left out follows a =, so that the next word is none", () => {
  assert.equal(readArguments(command, ["--mix", "door"]).string("mix"), "");
  assert.deepEqual(readArguments(command, ["--mix", "door"]).positionals, ["door"]);
  assert.equal(readArguments(command, ["door", "--mix=7"]).string("mix"), "7");
  assert.equal(readArguments(command, ["door"]).string("mix"), undefined);
});

Deno.test("negative numbers are values and words, not options", () => {
  const args = readArguments(command, ["-5", "--coats", "-2.5"]);
  assert.deepEqual(args.positionals, ["-5"]);
  assert.equal(args.number("coats"), -2.5);
});

Deno.test("what can be denied is, in both spellings", () => {
  for (
    const [word, dry] of [["--dry", true], ["--no-dry", false], ["--dry=false", false], [
      "--dry=true",
      true,
    ]] as const
  ) {
    const args = readArguments(command, ["door", word]);
    assert.deepEqual([args.given("dry"), args.boolean("dry")], [true, dry], word);
  }
  assert.match(refusal("door", "--no-all"), /no option --no-all/);
});

Deno.test("what cannot be is refused with its name and what to try", () => {
  assert.match(refusal(), /Cannot run backstep paint: <what> is missing .*backstep paint --help/);
  assert.match(refusal("door", "--colur", "red"), /no option --colur Did you mean --colour\?/);
  assert.match(refusal("door", "--colour", "green"), /--colour is red, blue; not "green"/);
  assert.match(refusal("door", "--colour"), /--colour needs a value/);
  assert.match(refusal("door", "--colour", "--all"), /--colour needs a value/);
  assert.match(refusal("door", "--by-name", "a", "--by-name", "b"), /--by-name is given twice/);
  assert.match(refusal("door", "--coats", "many"), /--coats takes a number, not "many"/);
  assert.match(refusal("door", "--all=yes"), /--all takes no value/);
});
