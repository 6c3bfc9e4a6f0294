import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../catalogue.ts";
import type { RunEvent, RunResult } from "../contract/events.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../desktop/simulated/simulated-desktop.ts";
import { at } from "../engine/run/_trial.ts";
import { readJournal, runFolder } from "../engine/journal/journal.ts";
import type { JournalRecord } from "../engine/journal/records/mod.ts";
import { planProgram } from "../engine/plan/plan.ts";
import type { Plan } from "../engine/plan/plan-model.ts";
import { openSession } from "../session/open-session.ts";
import { resolveVariables } from "../workflow/values.ts";
import { programOf, workflowOf } from "./program.ts";
import { runScript } from "./run-script.ts";
import { toolsFor } from "./tools.ts";
import type { Tools } from "./types.ts";
import { type Script, workflow } from "./workflow.ts";

interface Trial {
  readonly result: RunResult;
  readonly desktop: SimulatedDesktop;
  readonly journal: readonly JournalRecord[];
  readonly events: readonly RunEvent[];
}

async function run(
  script: Script,
  use: (trial: Trial) => void,
  options: { signal?: AbortSignal; on?: (event: RunEvent) => void } = {},
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "backstep-script-"));
  const desktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
  const session = await openSession({ kind: "simulated", simulate: () => desktop });
  const events: RunEvent[] = [];
  try {
    const result = await runScript(script, {
      session,
      state,
      file: import.meta.url,
      surroundings: { env: () => undefined, secret: (name) => name === "TOKEN" ? "s3cret!" : undefined },
      ...(options.signal ? { signal: options.signal } : {}),
      listener(event) {
        events.push(event);
        options.on?.(event);
      },
    });
    use({ result, desktop, journal: readJournal(runFolder(state, result.run)), events });
  } finally {
    await session.close();
    rmSync(state, { recursive: true });
  }
}

const NAME = 'textfield[name="Name"]';
const name = (desktop: SimulatedDesktop) => at(desktop.world(), "sim.settings", "name", "text");

Deno.test("a program's steps are journalled and told like a file's", () =>
  run(
    workflow("fill in", { app: "sim.settings" }, async (t) => {
      await t.locator(NAME).set("Grace");
      await t.transaction("more", async () => {
        await t.set({ target: "slider", value: 70 });
        await t.click('checkbox[name="Play sounds"]');
      });
      const { value } = await t.value(NAME);
      assert.equal(value, "Grace");
      await t.expect(t.locator(NAME)).toHaveValue("Grace");
      await t.expect(t.locator('button[name="Nowhere"]')).toExist(false);
      await t.expect(t.window()).toHaveTitle(/^sett/i);
    }),
    ({ result, desktop, journal }) => {
      assert.equal(result.status, "passed", result.error?.message);
      assert.equal(name(desktop), "Grace");
      assert.deepEqual(result.steps.map(({ path, operation }) => `${path} ${operation}`), [
        "1 set",
        "2.1 set",
        "2.2 click",
        "3 value",
        "4 assert",
        "5 assert",
        "6 assert",
      ]);
      const kinds = journal.map(({ kind }) => kind).filter((kind) => kind !== "step");
      assert.deepEqual(kinds.slice(0, 6), [
        "run",
        "action-begin",
        "action-end",
        "begin",
        "action-begin",
        "action-end",
      ]);
      assert.ok(kinds.includes("commit"));
      assert.equal(kinds.at(-1), "end");
    },
  ));

Deno.test("a program rejects, and no catch of it goes on; it sees its item", () =>
  run(
    workflow("rejects", { app: "sim.settings" }, async (t) => {
      await t.locator(NAME).set("Grace");
      try {
        await t.reject(`no right for ${JSON.stringify(t.item)}`);
      } catch {
        await t.locator(NAME).set("Hedy");
      }
    }),
    ({ result, desktop }) => {
      assert.deepEqual([result.rejected, result.exit], ["no right for {}", 1]);
      assert.equal(result.rollback.verdict, "restored");
      assert.equal(name(desktop), "Ada");
    },
  ));

Deno.test("a failing transaction is rolled back and tried again; what fails for good undoes everything", () => {
  let tries = 0;
  return run(
    workflow("fails", { app: "sim.settings" }, async (t) => {
      await t.locator(NAME).set("Grace");
      await t.transaction("again", async () => {
        await t.set({ target: "slider", value: 70 });
        if (++tries === 1) throw new Error("not yet");
      }, { retry: 1 });
      await t.locator("button[name='Nowhere']").click(undefined, { timeout: 150 });
    }),
    ({ result, desktop }) => {
      assert.equal(tries, 2);
      assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["failed", 1, "restored"]);
      assert.equal(result.error?.code, "not_found");
      assert.deepEqual([name(desktop), at(desktop.world(), "sim.settings", "volume", "value")], ["Ada", 50]);
    },
  );
});

Deno.test("what is expected of an element can be turned round, be of its tree, and fail without ending the program", () =>
  run(
    workflow("expectations", { app: "sim.settings" }, async (t) => {
      const field = t.expect(t.locator(NAME));
      await field.toHaveValue({ starts_with: "A", not: "Eve" });
      await field.toContainText("da");
      await field.toBeEditable();
      await field.not.toHaveText(/^E/);
      await field.not.toBeDisabled();
      await field.not.toContainText("Eve");
      await t.expect(t.locator("slider")).toHaveValue({ between: [40, 60] });
      await t.expect(t.window()).toMatchTree(`- tab "General":\n  - textfield "Name": /^A/`);
      await t.expect(t.locator("tab[name='About']")).toMatchTree('- tab "About"', { exact: true });
      await field.toHaveTitle("Wrong", { soft: true, timeout: 0 });
      await t.expect(t.window()).toMatchTree("- link", { soft: true, timeout: 0 });
      await t.locator(NAME).set("Grace");
    }),
    ({ result, desktop }) => {
      assert.deepEqual(result.steps.map(({ status }) => status), [
        ...Array.from({ length: 9 }, () => "passed"),
        "failed",
        "failed",
        "passed",
      ]);
      assert.match(result.error?.message ?? "", /^Cannot confirm 2 soft checks:/);
      assert.equal(name(desktop), "Ada");
    },
  ));

Deno.test("an error of the program itself undoes everything too", () =>
  run(
    workflow("throws", { app: "sim.settings" }, async (t) => {
      await t.locator(NAME).set("Grace");
      throw new TypeError("nothing to do with the desktop");
    }),
    ({ result, desktop }) => {
      assert.deepEqual([result.status, result.rollback.verdict, name(desktop)], [
        "failed",
        "restored",
        "Ada",
      ]);
      assert.match(result.error?.message ?? "", /nothing to do with the desktop/);
    },
  ));

Deno.test("a program may catch a step's failure and go on", () =>
  run(
    workflow("catches", { app: "sim.settings" }, async (t) => {
      await t.click("button[name='Nowhere']", { timeout: 150 }).catch(() => {});
      await t.locator(NAME).set("Grace");
    }),
    ({ result, desktop }) => {
      assert.deepEqual([result.status, name(desktop)], ["passed", "Grace"]);
      assert.deepEqual(result.steps.map(({ status }) => status), ["failed", "passed"]);
    },
  ));

Deno.test("an undo is written down before its action, and done on rollback", () => {
  let asked = 0;
  return run(
    workflow("undo", { app: "sim.settings" }, async (t) => {
      const settings = t.app("sim.settings");
      await t.transaction("keys", async () => {
        await settings.press("F5", {
          undo: async (app) => {
            asked++;
            await app.locator(NAME).set("undone");
          },
          guard: { target: NAME },
        });
        throw new Error("now back");
      });
    }),
    ({ result, desktop, journal }) => {
      assert.equal(asked, 1);
      assert.equal(name(desktop), "undone");
      assert.equal(result.rollback.steps[0]?.verdict, "compensated");
      assert.ok(journal.some(({ kind }) => kind === "undoing"));
    },
  );
});

Deno.test("savepoints: what was done since is rolled back, and the program goes on", () =>
  run(
    workflow("savepoint", { app: "sim.settings" }, async (t) => {
      await t.locator(NAME).set("Grace");
      await t.savepoint("named");
      await t.locator(NAME).set("Mary");
      await t.rollbackTo("named");
      await t.expect(t.locator(NAME)).toHaveValue("Grace");
    }),
    ({ result }) => assert.equal(result.status, "passed", result.error?.message),
  ));

Deno.test("a barrier inside a transaction is refused at its line of the program", () =>
  run(
    workflow("barrier", { app: "sim.settings" }, async (t) => {
      await t.transaction("no", async () => {
        await t.click('button[name="Reset"]');
      });
    }),
    ({ result }) => {
      assert.equal(result.error?.code, "barrier");
      assert.match(result.error?.place?.file ?? "", /script_test\.[jt]s$/);
      assert.ok((result.error?.place?.line ?? 0) > 100);
    },
  ));

Deno.test("two steps at once are refused, and so is one that nobody awaited", () =>
  run(
    workflow("at once", { app: "sim.settings" }, async (t) => {
      const first = t.locator(NAME).set("Grace");
      await assert.rejects(t.click('checkbox[name="Play sounds"]'), { code: "workflow" });
      await first;
      t.locator(NAME).set("Mary").catch(() => {});
      await Promise.resolve();
    }),
    ({ result }) => assert.match(result.error?.message ?? "", /still runs/),
  ));

Deno.test("an interrupt cannot be caught by a program", () => {
  const stop = new AbortController();
  return run(
    workflow("interrupted", { app: "sim.settings" }, async (t) => {
      await t.locator(NAME).set("Grace");
      try {
        await t.set({ target: "slider", value: 70 });
      } catch {
        // A program that carries on as if nothing had happened.
      }
      await t.locator(NAME).set("Mary").catch(() => {});
    }),
    ({ result, desktop }) => {
      assert.deepEqual([result.status, result.exit, name(desktop)], ["cancelled", 130, "Ada"]);
    },
    {
      signal: stop.signal,
      on: (event) => {
        if (event.event === "step-started" && event.path === "2") stop.abort(new Error("Ctrl-C"));
      },
    },
  );
});

Deno.test("a secret in the name of a transaction or a savepoint is not written down", () =>
  run(
    workflow("names", { app: "sim.settings", secrets: ["TOKEN"] }, async (t) => {
      const token = t.secret("TOKEN");
      await t.transaction(`with ${token}`, async () => {
        await t.locator(NAME).set("Grace");
      });
      await t.savepoint(`at ${token}`);
      await t.locator(NAME).set("Hopper");
      await t.rollbackTo(`at ${token}`);
    }),
    ({ result, desktop, journal, events }) => {
      assert.equal(result.status, "passed", JSON.stringify(result.error));
      assert.equal(name(desktop), "Grace");
      assert.ok(!JSON.stringify([journal, events, result]).includes("s3cret!"));
      const named = journal.flatMap((record) =>
        "name" in record ? record.name : "savepoint" in record ? record.savepoint ?? [] : []
      );
      assert.deepEqual(named, ["with ••••••", "at ••••••", "at ••••••"]);
    },
  ));

Deno.test("before prepares, after always runs; variables keep their types; secrets are masked", () =>
  run(
    workflow("parts", {
      app: "sim.settings",
      vars: { volume: 30 },
      secrets: ["TOKEN"],
      before: async (t) => {
        await t.set({ target: "slider", value: t.vars.volume });
      },
      after: async (t) => {
        await t.locator('textfield[name="E-mail"]').set("after");
      },
    }, async (t) => {
      const twice: number = t.vars.volume * 2;
      await t.set({ target: "slider", value: twice });
      await t.locator(NAME).set(t.secret("TOKEN"));
      assert.throws(() => t.secret("OTHER"), { code: "workflow" });
      throw new Error("back");
    }),
    ({ result, desktop, events }) => {
      assert.deepEqual(result.steps.map(({ path }) => path), ["before.1", "1", "2", "after.1"]);
      assert.equal(at(desktop.world(), "sim.settings", "volume", "value"), 30);
      assert.equal(at(desktop.world(), "sim.settings", "email", "text"), "after");
      assert.ok(!JSON.stringify([result, events]).includes("s3cret!"));
    },
  ));

/** Plans a program on the simulated settings, and sees that nothing came to them by that. */
async function plan(script: Script, use: (plan: Plan) => void): Promise<void> {
  const desktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
  const session = await openSession({ kind: "simulated", simulate: () => desktop });
  try {
    const before = desktop.log.entries.length;
    const surroundings = { env: () => undefined, secret: () => undefined };
    const model = workflowOf(script, "script.ts", script.steps.toString());
    const vars = resolveVariables(model);
    const options = { operations: catalogue, session, vars, surroundings, folder: "." };
    const program = programOf(script, { file: "script.ts", operations: catalogue, surroundings });
    use(await planProgram(model, options, program));
    assert.deepEqual(
      desktop.log.entries.slice(before).filter(({ changes, by }) => by === "caller" && changes.length > 0),
      [],
    );
  } finally {
    await session.close();
  }
}

Deno.test("a plan follows a program as far as it asks for no answer, and says where that ends", async () => {
  await plan(
    workflow("known", { app: "sim.settings" }, async (t) => {
      await t.locator(NAME).set("Grace");
      await t.transaction("more", async () => {
        await t.click('button[name="Reset"]', { irreversible: true });
      });
    }),
    ({ steps, coverage, ends }) => {
      assert.deepEqual(steps.map(({ path, status }) => `${path} ${status}`), [
        "1 resolved",
        "2 holds",
        "2.1 resolved",
      ]);
      assert.deepEqual([coverage.percent, ends], [50, undefined]);
    },
  );
  await plan(
    workflow("asks", { app: "sim.settings" }, async (t) => {
      const { value } = await t.value(NAME);
      if (value === "Ada") await t.locator(NAME).set("Grace");
    }),
    ({ steps, ends }) => {
      assert.deepEqual(steps.map(({ path }) => path), ["1"]);
      assert.match(ends ?? "", /it asks for value of the answer of step 1/);
    },
  );
  await plan(
    workflow("for ever", { app: "sim.settings" }, async (t) => {
      for (;;) await t.find("nothing");
    }),
    ({ steps, ends }) => {
      assert.equal(steps.length, 500);
      assert.match(ends ?? "", /more than 500 steps/);
    },
  );
});

Deno.test("every operation of the catalogue is a method, and there is no other", () => {
  const doer = {
    step: () => Promise.resolve(),
    transaction: <R>(_: string, inside: () => Promise<R>) => inside(),
    savepoint: () => Promise.resolve(),
    rollbackTo: () => Promise.resolve(),
    reject: () => Promise.reject(new Error("rejected")),
  };
  const tools: Tools = toolsFor({
    operations: catalogue,
    doer,
    file: "a.ts",
    vars: {},
    item: {},
    secret: () => "",
  });
  const own = "vars item secret launch app locator transaction savepoint rollbackTo reject expect".split(" ");
  const methods = Object.keys(tools).filter((key) => !own.includes(key)).sort();
  const camel = catalogue.map(({ name }) => name.replace(/-(.)/, (_, letter) => letter.toUpperCase()));
  assert.deepEqual(methods, camel.filter((one) => one !== "launch").sort());
  assert.ok(Object.keys(tools.expect(tools.locator("x"))).includes("toBeEnabled"));
});
