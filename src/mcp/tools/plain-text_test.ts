import assert from "node:assert/strict";
import { type Fixture, fixture } from "../session/_host.ts";
import { at } from "../../engine/run/_trial.ts";
import { answer, connected, failure, type Map } from "./_answers.ts";

/** What would be something else in a file, in JSON, in YAML or in a template. */
const TEXTS: readonly string[] = [
  "{{vars.x}}",
  "{{env.HOME}} {{secrets.TOKEN}}",
  "{{step_1.value}}",
  "{{{{",
  "{{{{{{vars.x}}}}",
  "{{{step_1.value}}}",
  "{{",
  "}}",
  "{{}}",
  "{{ not a name! }}",
  `"double" 'single' \`back\` \\n \\u0041 \\`,
  "- a: b # c\n&anchor *alias !tag |\n  %x @y",
  "one\ntwo\r\nthree\n\n",
  "\ttab\u0001\u0007\u001b[0m\u007f",
  "\u0085\u00a0\u200b\u2028\u2029\ufeff\ufffd",
  "\u{1f600}\u0301e\u0301",
  "null",
  "~",
  "true",
  "1e3",
  "2001-01-01",
  " ",
];

const EDITOR = { app: "E", query: "textarea" };
const shown = (desk: Fixture) => at(desk.desktop.world(), "sim.editor", "text", "text");

async function inEditor(use: (desk: Fixture) => Promise<void>): Promise<void> {
  await fixture({ applications: ["sim.editor"] }, async (desk) => {
    await connected(desk, "sim.editor", "E");
    await use(desk);
  });
}

Deno.test("a text of a client is never a placeholder, and arrives as it was sent", async (t) => {
  await inEditor(async (desk) => {
    for (const text of TEXTS) {
      await t.step(JSON.stringify(text), async () => {
        await answer(desk, "ax_set_value", { ...EDITOR, value: text });
        assert.equal(shown(desk), text, "ax_set_value");
        await answer(desk, "ax_set_value", { ...EDITOR, value: "-" });
        await answer(desk, "ax_type", { ...EDITOR, text, clear_first: true });
        assert.equal(shown(desk), text, "ax_type");
      });
    }
  });
});

Deno.test("in ax_workflow only the answer of an earlier step is filled in, and four braces write two", async (t) => {
  const cases: readonly (readonly [text: string, arrives: string])[] = [
    ["{{step_1.value}}!", "Ada!"],
    ["{{ step_1.value }}", "Ada"],
    ["{{{{step_1.value}}", "{{step_1.value}}"],
    ["{{{step_1.value}}}", "{{{step_1.value}}}"],
    ...TEXTS.filter((text) => !text.includes("step_1")).map((text) => [text, text] as const),
  ];
  await inEditor(async (desk) => {
    for (const [text, arrives] of cases) {
      await t.step(JSON.stringify(text), async () => {
        await answer(desk, "ax_set_value", { ...EDITOR, value: "Ada" });
        const { success } = await answer(desk, "ax_workflow", {
          steps: [
            { tool: "ax_get_value", args: EDITOR },
            { tool: "ax_set_value", args: { ...EDITOR, value: text } },
          ],
        });
        assert.equal(success, true);
        assert.equal(shown(desk), arrives);
      });
    }
  });
});

Deno.test("what a call cannot be is an error with its code and each fault, without places in a file", async () => {
  const empty = {
    message: "ax_click.target.selector: Too small: expected string to have >=1 characters",
  };
  const cases: readonly (readonly [tool: string, args: Map, faults: readonly Map[]])[] = [
    ["ax_click", { app: "E", query: "" }, [empty]],
    ["ax_workflow", {
      steps: [
        { tool: "ax_click", args: { app: "E", query: "" } },
        { tool: "ax_click", args: { app: "E", query: "" } },
        { tool: "ax_get_value", args: { ...EDITOR, query: "{{step_5.value}}" } },
        { tool: "ax_get_value", args: { ...EDITOR, query: "{{step_1.-x}}" } },
      ],
    }, [
      empty,
      empty,
      {
        message: "unknown placeholder {{step_5.value}}: step 5 has not run here",
        hint: "Steps are counted from 1 at the top level; {{step_2…}} is the last one that is done.",
      },
      {
        message: 'malformed placeholder {{step_1.-x}}: "-x" is not a name',
        hint:
          "Only field access is possible, such as {{vars.user.name}} or {{steps.save.value}}. A literal {{ is written {{{{.",
      },
    ]],
    ["ax_workflow", { steps: [{ tool: "ax_click", args: { ...EDITOR, click_type: "{{step_1.x}}" } }] }, [
      {
        message: "ax_click.click_type cannot hold a placeholder",
        hint: "Write it out, or use the verb itself.",
      },
      {
        message: "unknown placeholder {{step_1.x}}: step 1 has not run here",
        hint: "Steps are counted from 1 at the top level; none is done yet.",
      },
    ]],
    ["ax_set_value", { ...EDITOR, value: "x".repeat(1_100_000) }, [{
      message: "ax_set_value: the arguments are larger than 1048576 bytes",
      hint: "Split it into several calls.",
    }]],
  ];
  await inEditor(async (desk) => {
    for (const [tool, args, expected] of cases) {
      const { kind, code, message, faults, total } = await failure(desk, tool, args);
      assert.deepEqual({ kind, code, message, faults, total }, {
        kind: "InvalidValue",
        code: "workflow",
        message: expected[0]?.["message"],
        faults: expected,
        total: expected.length,
      });
    }
    assert.equal(shown(desk), "");
  });
});
