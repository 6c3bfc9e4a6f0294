import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Place, ROOT, withPlace } from "./cli/program.ts";

const account = (place: Place) => readFileSync(join(place.work, "account"), "utf8").trim().split("\n");

/** A workflow on the form. */
function flow(place: Place, steps: string, more = ""): string {
  const args = [join(ROOT, "tests/fixtures/hover.py"), join(place.work, "account")];
  return `name: Hover
session: isolated
app: hover.py
${more}before:
  - launch: ${JSON.stringify({ app: "/usr/bin/python3", args })}
steps:
${steps}`;
}

Deno.test("hover shows a tooltip of GTK 3, presses nothing, and is no obstacle to a rollback", () =>
  withPlace(async (place) => {
    place.file(
      "a.yaml",
      flow(
        place,
        `  - hover: 'button[name="Explained"]'
  - assert: { file: account, text: { contains: tooltip }, timeout: 5s }
  - hover: { target: 'button[name="Disabled"]' }
  - assert: { file: account, text: { contains: tooltip gone }, timeout: 5s }
`,
      ),
    );
    const passed = await place.run(["run", "a.yaml", "--format", "json"]);
    assert.equal(passed.code, 0, passed.out + passed.err);
    assert.deepEqual(account(place).slice(0, 3), ["enter", "tooltip", "tooltip gone"]);
    assert.ok(!account(place).includes("clicked"));
    rmSync(join(place.work, "account"));

    place.file(
      "b.yaml",
      flow(
        place,
        `  - transaction:
      - set: { target: 'textfield:right-of(label[name="City"]):first', value: Graz }
      - hover: 'button[name="Explained"]'
      - assert: { file: account, text: { contains: tooltip }, timeout: 5s }
      - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
`,
      ),
    );
    const failed = await place.run(["run", "b.yaml", "--format", "json"]);
    assert.equal(failed.code, 1, failed.out + failed.err);
    const result: { rollback: { verdict: string } } = JSON.parse(failed.out);
    assert.equal(result.rollback.verdict, "restored", failed.out);
    assert.deepEqual(account(place).filter((line) => line.startsWith("City=")), ["City=Graz", "City="]);
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("a field of GTK 3 without a name is told by where it lies", () =>
  withPlace(async (place) => {
    place.file(
      "a.yaml",
      flow(
        place,
        `  - set: { target: 'textfield:right-of(label[name="City"]):first', value: Graz }
  - set: { target: 'textfield:above(textfield)', value: Ada }
  - set: { target: 'textfield:near(button[name="Explained"], 20)', value: Wien }
`,
      ),
    );
    const { code, out, err } = await place.run(["run", "a.yaml"]);
    assert.equal(code, 0, out + err);
    assert.deepEqual(account(place).filter((line) => /^\w+=\w/.test(line)), [
      "City=Graz",
      "Name=Ada",
      "City=Wien",
    ]);
  }));

Deno.test("read_text reads what GTK 3 has drawn, of an element and of a part of its window", () =>
  withPlace(async (place) => {
    place.file(
      "a.yaml",
      flow(
        place,
        `  - id: button
    read_text: 'button[name="Explained"]'
  - set: { target: 'textfield:right-of(label[name="City"]):first', value: '{{steps.button.text}}' }
  - id: part
    read_text: { app: hover.py, region: { x: 24, y: 80, width: 60, height: 60 } }
  - set: { target: 'textfield:above(textfield)', value: '{{steps.part.text}}' }
`,
      ),
    );
    const { code, out, err } = await place.run(["run", "a.yaml", "--format", "json"]);
    assert.equal(code, 0, out + err);
    assert.deepEqual(account(place).filter((line) => /^\w+=\w/.test(line)), ["City=Explained", "Name=City"]);
  }));

Deno.test("read_text reads nothing while the desktop shows a secret of the run", () =>
  withPlace(async (place) => {
    place.file(
      "a.yaml",
      flow(
        place,
        `  - read_text: 'button[name="Explained"]'
  - set: { target: 'textfield:right-of(label[name="City"]):first', value: '{{secrets.CITY}}' }
  - read_text: { app: hover.py }
`,
        "secrets: [CITY]\n",
      ),
    );
    const { code, out, err } = await place.run(["run", "a.yaml", "--format", "json"], {
      env: { CITY: "Innsbruck" },
    });
    assert.equal(code, 1, out + err);
    const { error }: { error: { code: string } } = JSON.parse(out);
    assert.equal(error.code, "secure", out);
    assert.doesNotMatch(out + err, /innsbruck/i);
  }));
