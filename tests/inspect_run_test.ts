import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { missingFor } from "../scripts/action-names/stage.ts";
import { accountIn, type Line } from "../scripts/recordings/stage.ts";
import { type Place, ROOT, type Running, withPlace } from "./cli/program.ts";
import { Browser } from "./_browser.ts";
import { isInstalled } from "./_installed.ts";

const missing = missingFor("gtk3") ?? (isInstalled("/usr/bin/chromium") ? undefined : "chromium");
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/#[\w-]+/;

/** A workflow on the fixture, which writes into the place's folder what is done to it. */
function workflow(place: Place, steps: string): string {
  const args = [join(ROOT, "tests/fixtures/record/gtk3.py"), place.work];
  return place.file(
    "form.yaml",
    `name: Fill the form
app: record-fixture
session: isolated
before:
  - launch: ${JSON.stringify({ app: "/usr/bin/python3", args })}
steps:
${steps}`,
  );
}

const STEPS = `  - set: { target: 'textfield[name="Title"]', value: Ada }
  - click: 'checkbox[name="Bold"]'
  - set: { target: 'textfield[name="Author"]', value: Grace }
`;

/** The address that a command prints, on either stream. */
async function addressOf({ child }: Running): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (part) => {
      text += part;
      const [found] = ADDRESS.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  }
  child.on("close", () => reject(new Error(`it ended without an address: ${text}`)));
  return await promise;
}

const value = (lines: readonly Line[], of: string) => lines.findLast((line) => line.of === of)?.value;
const account = (place: Place) => accountIn(place.work, "gtk3");
const status = (path: string) =>
  `inspector.state.travel.steps.find((step) => step.path === "${path}")?.status`;
const STANDS = `inspector.state.travel?.doing === ""`;

async function end(
  { pid, finished }: Running,
): Promise<{ readonly code: number | null; readonly err: string }> {
  process.kill(pid, "SIGINT");
  return await finished;
}

Deno.test({
  name:
    "inspect FILE: the page goes on, back on the real desktop, on again, and forks; the application's own account says so",
  ignore: missing !== undefined,
}, () =>
  withPlace(async (place) => {
    const file = workflow(place, STEPS);
    const running = place.start(["inspect", file], { timeout: 120_000 });
    const address = addressOf(running);
    await using browser = await Browser.start();
    await browser.do("open", "one", await address);
    await browser.do("until", "one", STANDS);
    assert.equal(await browser.do("evaluate", "one", status("1")), "ahead");

    await browser.do("click", "one", 'button:has-text("Go on")');
    await browser.do("until", "one", `${STANDS} && inspector.state.travel.why === "end"`, 30_000);
    assert.deepEqual(["Title", "Bold", "Author"].map((of) => value(account(place), of)), [
      "Ada",
      true,
      "Grace",
    ]);

    await browser.do("click", "one", '[aria-label="Back to here, step 2"]');
    await browser.do("until", "one", `${STANDS} && ${status("2")} === "next"`, 30_000);
    assert.deepEqual(["Title", "Bold", "Author"].map((of) => value(account(place), of)), ["Ada", false, ""]);
    assert.equal(await browser.do("evaluate", "one", "inspector.state.travel.went.verdict"), "restored");

    // What is done in the page meanwhile is undone before the run goes on.
    const size = `inspector.state.rows.find((row) => row.role === "checkbox" && row.name === "Italic")`;
    await browser.do("evaluate", "one", `void inspector.choose(${size}, true)`);
    await browser.do("click", "one", "#tab-element");
    await browser.do("until", "one", "inspector.state.possible !== undefined");
    await browser.do("click", "one", '.operations button:has-text("click")');
    await browser.do("until", "one", "inspector.state.acts.length === 1");
    assert.equal(value(account(place), "Italic"), true);
    await browser.do("click", "one", "#tab-travel");
    await browser.do("click", "one", 'button:has-text("Go on")');
    await browser.do("until", "one", `${STANDS} && inspector.state.travel.why === "end"`, 30_000);
    assert.deepEqual(["Italic", "Bold", "Author"].map((of) => value(account(place), of)), [
      false,
      true,
      "Grace",
    ]);

    const before = account(place).length;
    await browser.do("click", "one", '[aria-label="Fork at step 3"]');
    const text = z.string().parse(await browser.do("evaluate", "one", "inspector.state.travel.text"));
    await browser.do("fill", "one", '[aria-label="Alternative 2"]', text.replace("Grace", "Alan"));
    await browser.do("click", "one", '.box button:has-text("Fork")');
    await browser.do("until", "one", "inspector.state.travel.forks.length === 2", 60_000);
    const forks = z.array(z.object({ status: z.string() })).parse(
      await browser.do("evaluate", "one", "inspector.state.travel.forks"),
    );
    assert.deepEqual(forks.map((fork) => fork.status), ["passed", "passed"]);
    const authors = account(place).slice(before).filter(({ of }) => of === "Author").map((line) =>
      line.value
    );
    assert.deepEqual([...new Set(authors)].filter((name) => name === "Grace" || name === "Alan").sort(), [
      "Alan",
      "Grace",
    ]);
    for (const dark of [false, true]) {
      await browser.do("dark", "one", dark);
      assert.deepEqual(await browser.do("axe", "one"), [], `steps and forks, ${dark ? "dark" : "light"}`);
    }
    const { code, err } = await end(running);
    assert.equal(code, 0, err);
  }));

Deno.test({
  name:
    "test --inspect=hold: a person takes over a worker's private desktop, does something, and hands it back",
  ignore: missing !== undefined,
}, () =>
  withPlace(async (place) => {
    const file = workflow(place, STEPS);
    const running = place.start(["test", file, "--inspect=hold"], { timeout: 120_000 });
    const address = addressOf(running);
    await using browser = await Browser.start();
    await browser.do("open", "one", await address);
    await browser.do("until", "one", "inspector.state.pause?.waits", 30_000);
    assert.match(String(await browser.do("evaluate", "one", "inspector.state.pause.step")), /^launch/);
    // The application comes up, and the run waits again before it does anything to it.
    await browser.do("click", "one", '.top button:has-text("Hand back")');
    await browser.do("click", "one", '.top button:has-text("Take over")');
    const italic = `inspector.state.rows.find((row) => row.role === "checkbox" && row.name === "Italic")`;
    await browser.do(
      "until",
      "one",
      `inspector.state.pause.waits && !/^launch/.test(inspector.state.pause.step) && ${italic}`,
      30_000,
    );
    await browser.do("evaluate", "one", `void inspector.choose(${italic}, true)`);
    await browser.do("until", "one", "inspector.state.possible !== undefined");
    await browser.do("click", "one", '.operations button:text-is("click")');
    await browser.do("until", "one", "inspector.state.acts.length === 1");
    assert.equal(value(account(place), "Italic"), true);
    assert.equal(value(account(place), "Author"), undefined, "the run waits");
    await browser.do("click", "one", '.top button:has-text("Hand back")');
    const { code, out, err } = await running.finished;
    assert.equal(code, 0, out + err);
    assert.deepEqual(["Title", "Bold", "Author"].map((of) => value(account(place), of)), [
      "Ada",
      true,
      "Grace",
    ]);
  }));

Deno.test({
  name: "test --ui: the page lists the files, runs them, shows why one failed, and runs that again",
  ignore: missing !== undefined,
}, () =>
  withPlace(async (place) => {
    const sim = (name: string, field: string) =>
      `name: ${name}
app: sim.settings
session: simulated
before: [ { launch: sim.settings } ]
steps:
  - set: { target: 'textfield[name="${field}"]', value: Grace }
    timeout: 500ms
`;
    place.file("good.yaml", sim("Good", "Name"));
    place.file("bad.yaml", sim("Bad", "Nothing"));
    const running = place.start(["test", ".", "--ui"], { timeout: 120_000 });
    const address = addressOf(running);
    await using browser = await Browser.start();
    await browser.do("open", "one", await address);
    await browser.do("until", "one", "inspector.state.suite?.files.length === 2");
    await browser.do("click", "one", 'button:has-text("Run all")');
    const is = (id: string, status: string) =>
      `inspector.state.suite.files.find((file) => file.id === "${id}").status === "${status}" && !inspector.state.suite.running`;
    await browser.do("until", "one", `${is("good.yaml", "passed")} && ${is("bad.yaml", "failed")}`, 60_000);
    assert.match(
      String(await browser.do("text", "one", ".files-list")),
      /Cannot find textfield\[name="Nothing"\]/,
    );
    assert.deepEqual(await browser.do("axe", "one"), []);
    place.file("bad.yaml", sim("Bad", "Name"));
    await browser.do("click", "one", 'button:has-text("Run failed")');
    await browser.do("until", "one", is("bad.yaml", "passed"), 60_000);
    const { faults } = await browser.reported();
    assert.deepEqual(faults, []);
    const { code, err } = await end(running);
    assert.equal(code, 0, err);
  }));
