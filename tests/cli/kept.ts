import assert from "node:assert/strict";
import { type Place, withPlace } from "./program.ts";
import { oneJson } from "./shapes.ts";

/** On a private desktop that is kept, by the command line alone; nothing is left of it. */
export async function onKept(action: (place: Place, id: string) => Promise<void>): Promise<void> {
  await withPlace(async (place) => {
    const started = await place.run(["session", "start", "--format", "json"]);
    assert.equal(started.code, 0, started.err);
    const id = text(oneJson(started.out), "id");
    try {
      await action(place, id);
    } finally {
      await place.run(["session", "stop", id, "--force"]);
    }
    assert.deepEqual(place.traces(), []);
  });
}

/** A field of a JSON object, as text. */
export function text(json: unknown, key: string): string {
  assert.ok(typeof json === "object" && json !== null);
  return String(Object.entries(json).find(([name]) => name === key)?.[1]);
}

/** What a command prints as JSON; it must end with this code. */
export async function json(place: Place, words: readonly string[], code = 0): Promise<unknown> {
  const finished = await place.run([...words, "--format", "json"]);
  assert.equal(finished.code, code, `${words.join(" ")}: ${finished.out}${finished.err}`);
  return oneJson(finished.out);
}
