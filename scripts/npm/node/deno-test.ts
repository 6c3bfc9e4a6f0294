/**
 * `Deno.test` over `node:test`, for `node --import`: the project's own tests run as they are on Node. The name, `ignore` and the
 * steps are all that they use of it.
 *
 * @module
 */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { test, type TestContext } from "node:test";

/** What a test is given. */
interface Context {
  readonly name: string;
  step(name: string, fn: Body): Promise<boolean>;
  step(step: { readonly name: string; readonly fn: Body }): Promise<boolean>;
}

type Body = (context: Context) => void | Promise<void>;

interface Definition {
  readonly name: string;
  readonly ignore?: boolean;
  readonly fn: Body;
}

/** Milliseconds for one test, so that one that hangs is named. */
const LONGEST = 120_000;

function contextOf(context: TestContext): Context {
  return {
    name: context.name,
    async step(step: string | { readonly name: string; readonly fn: Body }, body?: Body) {
      const { name, fn } = typeof step === "string" ? { name: step, fn: body } : step;
      let passed = false;
      await context.test(name, async (inner) => {
        await fn?.(contextOf(inner));
        passed = true;
      });
      return passed;
    },
  };
}

/** What counts the tests of each file: a line for each, written before Node can lose what it says of it. */
const REGISTER = process.env["BACKSTEP_TESTS_REGISTERED"];

/** With the file before it, as the reporter reads it: Node takes the place of its own `test(…)`, which is here. */
function named(name: string): string {
  return `${process.argv[1] ?? ""}\t${name}`;
}

function register(first: string | Definition, second?: Body): void {
  const { name, ignore = false, fn } = typeof first === "string" ? { name: first, fn: second } : first;
  if (REGISTER !== undefined) appendFileSync(REGISTER, `${named(name)}\n`);
  test(named(name), { skip: ignore, timeout: LONGEST }, async (context) => {
    // Deno waits for a test as long as it takes; Node would end where only timers that keep nothing alive are left.
    const held = setInterval(() => {}, LONGEST);
    try {
      await fn?.(contextOf(context));
    } finally {
      clearInterval(held);
    }
  });
}

Object.assign(globalThis, { Deno: { test: register } });
