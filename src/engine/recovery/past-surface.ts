import type { Call } from "../../base/call.ts";
import type { Surface } from "../../contract/participant.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import type { WrittenSurface } from "../journal/records/action.ts";

/**
 * What another process saw something drawn in. Undefined where its application has left: its address may be another's by now,
 * and nobody knows what became of it.
 */
export async function pastSurface(
  { application: name, pid, bus, path, word, role, name: title, id }: WrittenSurface,
  desktop: Desktop,
  call: Call,
): Promise<Surface | undefined> {
  const application = (await desktop.applications(call)).find((one) =>
    one.bus === bus && one.pid === pid && (one.id ?? one.name) === name
  );
  if (application === undefined) return undefined;
  // Nobody here has seen it: only the application says whether it is there.
  const generation = Number.MAX_SAFE_INTEGER;
  const element = { bus, path, generation, fingerprint: { role, name: title, id } };
  return { application, element, word };
}
