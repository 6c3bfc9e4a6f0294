import { test, type TestContext } from "node:test";
import type { StepContext } from "../steps.ts";
import type { TestCase } from "./test-case.ts";

/** Milliseconds: the longest that a timer takes. A workflow has deadlines of its own, and Bun would give a test five seconds. */
const LONGEST = 2 ** 31 - 1;

/** Registers a case with `node:test`. */
export function register({ name, ignore, fn }: TestCase): void {
  test(name, { skip: ignore, timeout: LONGEST }, (context) => fn(contextOf(context)));
}

/** A step is a test in the test: where it fails, so does the test, which goes on. */
function contextOf(context: TestContext): StepContext {
  return {
    async step({ name, fn }) {
      let passed = true;
      await context.test(name, { timeout: LONGEST }, async () => {
        try {
          await fn();
        } catch (thrown) {
          passed = false;
          throw thrown;
        }
      });
      return passed;
    },
  };
}
