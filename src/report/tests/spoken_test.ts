import assert from "node:assert/strict";
import { width } from "../layout.ts";
import { PLAIN } from "../style.ts";
import { FILES, spoken, summaryOf, tried } from "./_events.ts";
import { dotReporter } from "./dot.ts";
import { githubReporter } from "./github.ts";
import { lineReporter } from "./line.ts";
import { listReporter } from "./list.ts";

const summary = summaryOf(FILES);
const list = (columns = 0) => spoken((output) => listReporter(output, PLAIN), summary, columns);

Deno.test("list: each file with the steps of each try, what failed with its place, and the counts", async () => {
  const text = await list();
  assert.match(text, /^4 files, 2 workers\n/);
  assert.match(
    text,
    /✓ w\/a\.yaml +The name of w\/a\.yaml +1\.2 s +worker 1\n +✓ 1 +click button "1" +12 ms/,
  );
  assert.match(text, /✗ w\/b\.yaml[^]*✗ 2 [^]*Cannot confirm button[^]*at w\/b\.yaml:7:5/);
  assert.match(text, /± w\/c\.yaml[^]* +try 1\n[^]* +try 2\n[^]*they differ at the intent of step 2/);
  assert.match(text, /- "Gracie"\n +\+ "Grace"/);
  assert.match(text, /– w\/d\.yaml .*skipped\n +not installed: kate/);
  assert.match(text, /\n1 failed, 1 flaky, 1 passed, 1 skipped in 4\.3 s · 2 workers · exit 1\n$/);
  assert.match(text, /\n✗ failed +w\/b\.yaml/, "what went wrong is told once more at the end");
});

Deno.test("list: no text of an application reaches the terminal as it is, and there is no colour in a log", async () => {
  const text = await list();
  // deno-lint-ignore no-control-regex -- that is what must not be there
  assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f]/);
});

Deno.test("line: on a terminal one line that changes and never wraps; in a log only what is not as it should be", async () => {
  const live = await spoken((output) => lineReporter(output, PLAIN), summary, 60);
  const states = live.replaceAll("\r\x1b[K", "\n").split("\n");
  assert.ok(states.includes('[0/4] w/a.yaml: 1 click button "1"'), live);
  for (const line of states) {
    if (line.startsWith("[")) assert.ok(width(line) < 60, line);
  }
  const log = await spoken((output) => lineReporter(output, PLAIN), summary);
  assert.doesNotMatch(log, /\r|w\/a\.yaml/);
  assert.match(log, /✗ failed +w\/b\.yaml[^]*± flaky +w\/c\.yaml[^]*Gracie[^]*1 failed, 1 flaky/);
});

Deno.test("dot: a letter a file, then what went wrong", async () => {
  const text = await spoken((output) => dotReporter(output, PLAIN), summary);
  assert.match(text, /^·F±–\n\n✗ failed +w\/b\.yaml/);
  const many = summaryOf(Array.from({ length: 90 }, (_, n) => tried(`${n}.yaml`, "passed")));
  assert.match(await spoken((output) => dotReporter(output, PLAIN), many), /^·{80}\n·{10}\n/);
});

Deno.test("github: an annotation at the line of the file, of which no text can make another", async () => {
  const text = await spoken((output) => githubReporter((one) => output.write(one), undefined), summary);
  const lines = text.trimEnd().split("\n");
  assert.equal(lines.length, 2);
  assert.match(
    lines[0] ?? "",
    /^::error file=w\/b\.yaml,line=7,col=5,title=w\/b\.yaml%3A The name of w\/b\.yaml::Cannot/,
  );
  assert.match(lines[0] ?? "", /50%25 of it,%0Asee: `tree`$/);
  assert.match(
    lines[1] ?? "",
    /^::warning file=w\/b\.yaml.*Flaky: failed, then passed at try 2\.%0A.*Gracie/,
  );
});
