/** Elements that lie on each other in one window, on every toolkit. What a press reached is what the program itself says. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline, pause } from "../src/base/call.ts";
import { type BackstepError, toBackstepError } from "../src/base/error.ts";
import { Stand } from "./_dialogs.ts";
import { fixture, programsIn } from "./_toolkits.ts";

const PROGRAMS = programsIn("overlaid");

/** What a program of this test says that was pressed, in order. */
class Account {
  readonly #stand: Stand;
  readonly #log: string | undefined;
  readonly #titles: string[] = [];

  constructor(stand: Stand, log: string | undefined) {
    this.#stand = stand;
    this.#log = log;
  }

  /** By now; of a title each one that was ever seen. */
  async pressed(): Promise<string[]> {
    if (this.#log === undefined) {
      for (const { title } of await this.#stand.session.desktop.windows()) {
        const [said] = /^\d+ (?:button|sheet) [A-Z a-z]+?(?= [-—])/.exec(title) ?? [];
        if (said !== undefined && !this.#titles.includes(said)) this.#titles.push(said);
      }
      return this.#titles.map((title) => title.replace(/^\d+ /, ""));
    }
    if (!existsSync(this.#log)) return [];
    return readFileSync(this.#log, "utf8").split("\n").flatMap((line) => {
      const [said] = /(?:button|sheet|cell) .+$/.exec(line) ?? [];
      return said === undefined ? [] : [said];
    });
  }

  /** Once there are as many as that. */
  async said(many: number): Promise<string[]> {
    const deadline = Deadline.after(5_000);
    for (;;) {
      const pressed = await this.pressed();
      if (pressed.length >= many || deadline.passed) return pressed;
      await pause(20);
    }
  }
}

/** Tests, on every toolkit, that what lies on top is pressed, and what lies below it is not. */
export function testOnTop(display: "x11" | "wayland"): void {
  for (const [name, program] of Object.entries(PROGRAMS)) {
    Deno.test({
      name: `${name} on ${display}: what lies on top is pressed, and what lies below it is not`,
      ignore: program.ignore,
      async fn() {
        await using stand = await Stand.open(display);
        const log = join(stand.folder, "pressed"), page = join(stand.folder, "page.html");
        copyFileSync(fixture("overlaid/page.html"), page);
        await stand.do("launch", program.launch(log, page));
        await stand.do("wait", { target: 'button "Show"' }, program.app);
        const account = new Account(stand, program.inTitle ? undefined : log);
        const expected: string[] = [];
        const refused = async (target: string) => {
          const why = async (within: number): Promise<BackstepError> => {
            try {
              await stand.do("click", { target }, program.app, within);
            } catch (thrown) {
              return toBackstepError(thrown);
            }
            throw new assert.AssertionError({ message: `${target} is pressed` });
          };
          // On a busy machine the first look may take all of it.
          const soon = await why(800);
          const { code, message } = soon.code === "timeout" ? await why(5_000) : soon;
          assert.equal(code, "not_actionable", `${target}: ${message}`);
          assert.deepEqual(await account.pressed(), expected, target);
        };
        const pressed = async (target: string, said = target.replaceAll('"', "")) => {
          await stand.click(target, program.app);
          expected.push(said);
          assert.deepEqual(
            (await account.said(expected.length)).filter((one) => one !== "sheet holder"),
            expected,
          );
        };
        for (const button of ["Below", "Inside", "Bottom"]) await refused(`button "${button}"`);
        if (name.startsWith("Qt") || program.tellsThrough && name !== "GTK 4") await refused('button "Sunk"');
        for (const button of ["Above", "On the sheet", "Late", "Show"]) await pressed(`button "${button}"`);
        // In GTK 4 it has no address until its tree is read again, which a wait for it would do.
        if (name !== "GTK 4") await stand.do("wait", { target: '[name="late"]:visible' }, program.app);
        await refused('button "Late"');
        if (program.tellsThrough) await pressed('button "Through"');
        else if (!/^Qt \d/.test(name)) await refused('button "Through"');
        if (!/^Qt \d/.test(name)) return;
        await refused('cell "cell 00"');
        await pressed('cell "cell 11"', "cell 11");
      },
    });
  }
}

/** Tests, where the pointer clicks, that what is covered after it was found is not pressed until nothing covers it. */
export function testCoveredMeanwhile(display: "x11" | "wayland"): void {
  for (const [name, program] of Object.entries(PROGRAMS)) {
    if (!/^GTK|^Qt/.test(name)) continue;
    Deno.test({
      name: `${name} on ${display}: what is covered after it was found is pressed once nothing covers it`,
      ignore: program.ignore,
      async fn() {
        let once: (() => Promise<void>) | undefined;
        const admit = async () => {
          const now = once;
          once = undefined;
          await now?.();
        };
        await using stand = await Stand.open(display, [{ admit }]);
        const log = join(stand.folder, "pressed");
        await stand.do("launch", program.launch(log, ""));
        await stand.do("wait", { target: 'button "Meanwhile"' }, program.app);
        const count = (line: string) =>
          readFileSync(log, "utf8").split("\n").filter((one) => one === line).length;
        const until = async (line: string, times: number) => {
          const deadline = Deadline.after(5_000);
          while (count(line) < times && !deadline.passed) await pause(2);
          assert.equal(count(line), times, line);
        };
        const cover = async () => {
          const before = count("covered");
          writeFileSync(`${log}.covers`, "");
          await until("covered", before + 1);
        };
        const click = (timeout: number) =>
          stand.do("click", { target: 'button "Meanwhile"' }, program.app, timeout);
        const pressed = async (times: number) => {
          await until("button Meanwhile", times);
          assert.equal(count("sheet meanwhile"), 0);
        };

        // Each time it is covered when it has been found and nothing is sent.
        for (let time = 1; time <= 2; time++) {
          const uncovered = Promise.withResolvers<void>();
          once = async () => {
            await cover();
            pause(300).then(() => rmSync(`${log}.covers`)).then(uncovered.resolve, uncovered.reject);
          };
          await click(5_000);
          await uncovered.promise;
          await pressed(time);
          await until("uncovered", time);
        }

        // While it is waited so that two clicks are no double click, where that is.
        const uncovered = Promise.withResolvers<void>();
        once = () => {
          const covers = async () => {
            await pause(150);
            await cover();
            await pause(500);
            rmSync(`${log}.covers`);
          };
          covers().then(uncovered.resolve, uncovered.reject);
          return Promise.resolve();
        };
        await click(5_000);
        await pressed(3);
        await uncovered.promise;
        await until("uncovered", 3);

        once = cover;
        await assert.rejects(click(3_000), {
          code: "not_actionable",
          message: /is covered by .* "meanwhile"/,
        });
        await pressed(3);
        if (!/^Qt \d/.test(name)) return;

        // A cell has another address at each question, and so has what has just been made above it.
        const gone = Promise.withResolvers<void>();
        once = async () => {
          writeFileSync(`${log}.covers-cell`, "");
          await until("covered cell", 1);
          // As old as a look at the tree may be that is shared within a step.
          await pause(150);
          pause(300).then(() => rmSync(`${log}.covers-cell`)).then(gone.resolve, gone.reject);
        };
        await stand.do("click", { target: 'cell "cell 11"' }, program.app, 5_000);
        await gone.promise;
        await until("cell 11", 1);
        assert.equal(count("sheet made"), 0);
      },
    });
  }
}
