import assert from "node:assert/strict";
import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";

/** Puts pages together again, as a client would. */
export function joined(pages: readonly Json[]): Json {
  const whole: Json = structuredClone(pages[0] ?? null);
  const at = (pointer: string): unknown =>
    pointer.split("/").slice(1).reduce<unknown>((node, key) => {
      return typeof node === "object" && node !== null ? Reflect.get(node, key) : undefined;
    }, whole);
  for (const page of pages.slice(1)) {
    assert.ok(isList(page));
    for (const part of page) {
      assert.ok(isMap(part) && typeof part.at === "string" && isList(part.children));
      const holder = at(part.at);
      assert.ok(typeof holder === "object" && holder !== null, `${part.at} is there before what is in it`);
      if (Array.isArray(holder)) {
        assert.equal(holder.length, part.from);
        holder.push(...structuredClone(part.children));
        continue;
      }
      const before: unknown = Reflect.get(holder, "children") ?? [];
      assert.ok(Array.isArray(before));
      assert.equal(before.length, part.from ?? 0, "parts of one list follow one another");
      Reflect.set(holder, "children", [...before, ...structuredClone(part.children)]);
      Reflect.deleteProperty(holder, "truncated");
    }
  }
  return whole;
}
