import assert from "node:assert/strict";
import { fixture } from "./_context.ts";

const TEXT = { target: "textarea" };

Deno.test("a part of a text is selected by what it says or by its place, and read back", async () => {
  await using desk = fixture(["sim.editor"]);
  await desk.run("set", { ...TEXT, value: "one two three two" });
  const selected = async (): Promise<readonly number[] | undefined> => {
    const [application] = await desk.desktop.applications();
    assert.ok(application);
    const tree = await desk.desktop.snapshot(application);
    for (let row = 0; row < tree.size; row++) {
      if (tree.has(row, "multiLine")) return (await desk.desktop.read(tree.element(row))).textSelection;
    }
    return undefined;
  };
  await desk.run("select", { ...TEXT, text: "three" });
  assert.deepEqual(await selected(), [8, 13]);
  await desk.run("select", { ...TEXT, start: 0, end: 3 });
  assert.deepEqual(await selected(), [0, 3]);
});

Deno.test("what does not stand there, or more than once, is refused before anything is selected", async () => {
  await using desk = fixture(["sim.editor"]);
  await desk.run("set", { ...TEXT, value: "one two three two" });
  for (
    const [input, code] of [
      [{ text: "four" }, "not_found"],
      [{ text: "two" }, "ambiguous"],
      [{ start: 3, end: 99 }, "invalid"],
      [{ start: 3 }, "invalid"],
      [{}, "unsupported"],
      [{ text: "one", items: ["one"] }, "invalid"],
      [{ items: ["one"] }, "unsupported"],
    ] as const
  ) {
    assert.equal((await desk.fail("select", { ...TEXT, ...input })).code, code, JSON.stringify(input));
  }
});

Deno.test("of what holds one choice, one item is selected, and never several", async () => {
  await using desk = fixture(["sim.settings"]);
  const target = 'combobox[name="Language"]';
  await desk.run("select", { target, items: ["Deutsch"] });
  await desk.run("assert", { target, value: "Deutsch" });
  await desk.run("select", { target, items: ["Deutsch"] });
  const several = await desk.fail("select", { target, items: ["English", "Deutsch"] });
  assert.equal(several.code, "invalid");
  assert.match(several.message, /2 items of combobox "Language": one can be chosen in it/);
  assert.equal((await desk.fail("select", { target, items: ["Klingon"] })).code, "not_found");
});
