import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { catalogue } from "../catalogue.ts";
import { Gate, OPEN_PORTS } from "../contract/gate.ts";
import { instead } from "../desktop/_instead.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { SimulatedLauncher } from "../session/simulated-launcher.ts";

/** A gate to a desktop whose application has a window, and no accessibility tree for so many looks. */
function late(looks: number, application = "sim.calculator"): Gate {
  const desktop = simulate({ applications: [application] });
  let left = looks;
  const treeless = instead(desktop, {
    applications: async () => left-- > 0 ? [] : await desktop.applications(),
  });
  return new Gate({
    operations: catalogue,
    session: {
      kind: "simulated",
      label: "simulated",
      desktop: treeless,
      launcher: new SimulatedLauncher(desktop),
      home: undefined,
      id: undefined,
      close: () => desktop.close(),
    },
    folder: tmpdir(),
    ports: OPEN_PORTS,
  });
}

const target = { selector: 'button[name="1"]', app: "sim.calculator" };
const NO_TREE = { code: "unsupported", message: /it has a window, and no accessibility tree/ };

Deno.test("who waits for an element of a program that has a window and no tree yet waits for the tree", async () => {
  const gate = late(6);
  await assert.rejects(gate.dispatch({ operation: "click", input: { target } }), NO_TREE);
  const { output } = await gate.dispatch({ operation: "wait", input: { target, timeout: 5_000 } });
  assert.ok(typeof output === "object" && output !== null && "state" in output);
  assert.equal(output.state, "visible");
});

Deno.test("where no tree comes, that is said at the end of the wait", async () => {
  const began = performance.now();
  const waiting = late(Infinity).dispatch({ operation: "wait", input: { target, timeout: 200 } });
  await assert.rejects(waiting, NO_TREE);
  assert.ok(performance.now() - began >= 190, "it waited");
});

Deno.test("what was waited for in vain is named in words, with what is there instead", async () => {
  const wait = (selector: string, state: string) =>
    late(0).dispatch({
      operation: "wait",
      input: { target: { selector, app: "sim.calculator" }, for: state, timeout: 50 },
    });
  for (const state of ["exists", "visible", "checked"]) {
    await assert.rejects(wait('button[name="12"]', state), {
      code: "timeout",
      message: /: nothing matches after 50 ms$/,
      hint: /^There is button "1"/,
    });
  }
  for (const state of ["gone", "hidden", "disabled", "checked"]) {
    await assert.rejects(wait('button[name="1"]', state), {
      code: "timeout",
      message: new RegExp(`: it is not ${state} after 50 ms$`),
      hint: /^It is button "1"/,
    });
  }
});

Deno.test("who waits in vain for something to be gone that stays and does not show is told of hidden", async () => {
  const wait = (state: string) =>
    late(0, "sim.login").dispatch({
      operation: "wait",
      input: { target: { selector: '[name="Log out"]', app: "sim.login" }, for: state, timeout: 50 },
    });
  await assert.rejects(wait("gone"), {
    code: "timeout",
    hint: /\[hidden\]\. It stays, and does not show: wait until it is hidden, not gone\.$/,
  });
  await wait("hidden");
});
