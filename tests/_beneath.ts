/** A list that scrolls below a header and a footer, on every toolkit. What was reached is what the program itself says. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { BackstepError } from "../src/base/error.ts";
import { Stand } from "./_dialogs.ts";
import { fixture, type Program, programsIn } from "./_toolkits.ts";

/** Tests, on these toolkits, that what a header or a footer hides is scrolled out before it is acted on. */
export function testBeneath(names: RegExp, display: "x11" | "wayland" = "x11"): void {
  for (const [name, program] of Object.entries(programsIn("beneath"))) {
    if (!names.test(name)) continue;
    Deno.test({
      name: `${name} on ${display}: what a header or a footer hides is scrolled out before it is acted on`,
      ignore: program.ignore,
      fn: () => reachesAll(name, program, display),
    });
  }
}

async function reachesAll(name: string, program: Program, display: "x11" | "wayland"): Promise<void> {
  await using stand = await Stand.open(display);
  const { desktop } = stand.session;
  const log = join(stand.folder, "account"), page = join(stand.folder, "page.html");
  copyFileSync(fixture("beneath/page.html"), page);
  await stand.do("launch", program.launch(log, page));
  const { app } = program;
  await stand.do("wait", { target: 'button "Press 1"' }, app);
  /** All that the program said so far; of a title the last thing. */
  const account = async (): Promise<string[]> => {
    if (program.inTitle) {
      return (await desktop.windows()).flatMap(({ title }) => /^\d+ (.+) at \d+ \./.exec(title)?.[1] ?? []);
    }
    if (!existsSync(log)) return [];
    return readFileSync(log, "utf8").split("\n").flatMap((line) =>
      /(?:button|text|bar) .+$|veil$/.exec(line)?.[0] ?? []
    );
  };
  const says = async (expected: string, doing: string) => {
    const said = async () => (await account()).at(-1);
    const { last } = await untilDeadline(desktop, said, (now) => now === expected, Deadline.after(3_000));
    assert.equal(last, expected, doing);
  };
  const press = async (number: number) => {
    await stand.do("click", { target: `button "Press ${number}"` }, app);
    await says(`button Press ${number}`, `Press ${number}`);
  };
  const refused = async (number: number) => {
    const before = (await account()).at(-1);
    await assert.rejects(
      stand.do("click", { target: `button "Press ${number}"` }, app, 4_000),
      (error: unknown) => {
        assert.ok(error instanceof BackstepError);
        assert.equal(error.code, "not_actionable");
        // GTK 4 tells what lies on each other from pages of which one shows by what answers there.
        assert.match(
          String(error.details?.condition),
          number === 0 ? /^uncovered$/ : /^(uncovered|visible)$/,
          error.message,
        );
        return true;
      },
      `Press ${number}`,
    );
    assert.equal((await account()).at(-1), before, `Press ${number}`);
  };
  // Far out of view.
  await stand.do("set", { target: 'textfield "Field 35"', value: "far" }, app);
  await says("text Field 35: far", "Field 35");
  for (const number of [36, 2]) await press(number);
  for (let number = 3; number <= 22; number++) await press(number);
  // What the pointer rests on is what a button that is pressed there, where it is, presses. Qt Quick scrolls on for a while.
  const { pointer } = stand.session;
  for (const number of pointer && !name.startsWith("Qt Quick") ? [3, 21, 8] : []) {
    await stand.do("hover", { target: `button "Press ${number}"` }, app);
    const point = await pointer?.();
    assert.ok(point !== undefined);
    await desktop.pointer({ do: "click", ...point, button: "left", count: 1 });
    await says(`button Press ${number}`, `what the pointer rests on: Press ${number}`);
  }
  // No action stands for two clicks: what is far out of view is scrolled to first.
  for (const number of name.startsWith("Qt Quick") ? [] : [33, 4]) {
    await stand.do("click", { target: `button "Press ${number}"`, count: 2 }, app);
    await says(`button Press ${number}`, `twice: Press ${number}`);
  }
  for (let number = 21; number >= 2; number--) await press(number);
  // The header lies above it however far up the list is scrolled; out of view it would be pressed by its action.
  if (program.inTitle) {
    await stand.do("scroll", { target: 'button "Press 2"', direction: "up", amount: 4_000 }, app);
  }
  await refused(0);
  for (let number = 3; number <= 22; number++) {
    await stand.do("set", { target: `textfield "Field ${number}"`, value: `t${number}` }, app);
    await says(`text Field ${number}: t${number}`, `Field ${number}`);
  }
  await stand.do("scroll", { target: 'button "Press 5"' }, app);
  await stand.click('button "Draw"', app);
  await says("veil", "Draw");
  // What hides all of it leaves nothing to scroll to.
  await refused(5);
}
