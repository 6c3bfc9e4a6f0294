// Check boxes in rows of tables, lists and trees. Judged by what the application holds itself.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { Answer, failing } from "./_dialogs.ts";
import { Holder, KITS, recoverKilled } from "./_held.ts";

type Held = Readonly<Record<string, boolean | string | readonly string[]>>;

/** What is claimed in docs/reference/toolkits.md. */
const CLAIMS = [
  { on: "GTK 3", claim: "gtk3/check-cell", method: "XTEST click" },
  { on: "Qt 5", claim: "qt5/check-cell", method: "XTEST click" },
  { on: "Qt 6", claim: "qt6/check-cell", method: "XTEST click" },
] as const;

const CASES = [
  ...CLAIMS.map(({ on, method }) => ({ on, method, display: "x11" }) as const),
  ...(["GTK 3", "Qt 6"] as const).map((on) => ({ on, method: "Wayland click", display: "wayland" }) as const),
];

/** The acts of a kit, in their order: what is set to what, and what the application holds otherwise then. */
const ACTS = {
  "gtk.py": [
    ['cell:in-row("Tea"):in-column("Done")', true, { Tea: true, Selected: ["Tea"] }],
    ['cell:in-row("Milk"):in-column("Done")', false, { Milk: false, Selected: ["Milk"] }],
    // It lets go of another one.
    ['cell:in-row("Salt"):in-column("Best")', true, { Best: "Salt", Selected: ["Salt"] }],
    // Its row moves.
    ['cell:in-row("Bread"):in-column("Done")', true, { Bread: true, Selected: ["Bread"] }],
  ],
  "qt.py": [
    ['listitem "Tea"', true, { Tea: true }],
    ['listitem "Milk"', "false", { Milk: false }],
    // What is above it follows.
    ['cell "Docs"', "true", { Docs: true, All: true }],
    ['table cell:in-row("Sound"):in-column("On")', true, { Sound: true }],
  ],
} as const;

for (const { on, display, method } of CASES) {
  const kit = KITS[on];
  Deno.test({
    name: `check boxes in rows are set, and as before after a rollback: ${on} on ${display}`,
    ignore: kit.ignore,
    async fn() {
      const acts = ACTS[kit.file];
      await using rows = await Holder.start<Held>("checks", kit, acts[0][0], display);
      const { stand, app } = rows;
      const first = await rows.held();
      const steps = acts.map(([target, value]) =>
        `set: { target: '${target}', value: ${JSON.stringify(value)} }`
      );
      const { error, rollback } = await stand.run(failing(app, ...steps));
      assert.match(error?.message ?? "", /nothing says this/);
      assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
      // GTK 3 chooses its first row as it gets the focus, before anything is done.
      const free = (held: Held) => kit.file === "qt.py" ? held : { ...held, Selected: "" };
      const last = await rows.held((held) => isDeepStrictEqual(free(held), free(first)));
      assert.deepEqual(free(last), free(first));

      let now: Held = await rows.held();
      for (const [target, value, otherwise] of acts) {
        const done = Answer.parse(await stand.do("set", { target, value }, app));
        assert.equal(done.method, method);
        now = { ...now, ...otherwise };
        const wanted = { ...now };
        assert.deepEqual(await rows.held((held) => isDeepStrictEqual(held, wanted)), wanted);
      }

      if (kit.file === "gtk.py") {
        const fixed = { target: 'cell:in-row("Tea"):in-column("Fixed")', value: false };
        await assert.rejects(() => stand.do("set", fixed, app), { code: "unsupported" });
        return;
      }
      const text = 'table cell "Light"';
      await assert.rejects(() => stand.do("set", { target: text, value: true }, app), {
        code: "unsupported",
      });
      assert.deepEqual((await rows.held())["Texts"], ["Sound", "Light"]);
      // A text that is a word for it is written where there is no check box.
      await stand.do("set", { target: text, value: "true" }, app);
      assert.deepEqual(
        (await rows.held(({ Texts }) => isDeepStrictEqual(Texts, ["Sound", "true"])))["Texts"],
        [
          "Sound",
          "true",
        ],
      );
      const left = Answer.parse(await stand.do("set", { target: 'table cell "Sound"', value: "false" }, app));
      assert.match(left.warning ?? "", /whether it has a check box is not reported/);
    },
  });
}

for (
  const [name, step, key] of [
    ["GTK 3", `set: { target: 'cell:in-row("Bread"):in-column("Done")', value: true }`, "Bread"],
    ["Qt 5", `set: { target: 'cell "Docs"', value: true }`, "All"],
  ] as const
) {
  const kit = KITS[name];
  Deno.test({
    name: `recover restores what the check boxes of a run that was killed held, ${name}`,
    ignore: kit.ignore,
    fn: () =>
      recoverKilled<Held>("checks", kit, [step], (held) => {
        assert.equal(held[key], true);
      }, ["Selected"]),
  });
}
