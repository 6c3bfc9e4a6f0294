import { basename } from "node:path";
import type { Call } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import type { Launcher } from "../session/session.ts";

/** Everything that an application is called: "gedit" is "org.gnome.gedit". */
async function namesOf(launcher: Launcher, wanted: string): Promise<ReadonlySet<string>> {
  const lower = wanted.trim().replace(/\.desktop$/, "").toLowerCase();
  const meant = (await launcher.catalogue()).filter(({ id, name, executable }) =>
    [id, name, basename(executable)].some((one) => one.toLowerCase() === lower)
  );
  return new Set([lower, ...meant.map(({ id }) => id.toLowerCase())]);
}

/**
 * Whether an application runs. One that was launched is quit; that one was quit cannot be restored, since what it held
 * unsaved went with it.
 */
export function processOf(launcher: Launcher, id: string): Participant {
  let names: ReadonlySet<string> | undefined;
  const runs = async (call: Call): Promise<boolean> => {
    const existing = names ??= await namesOf(launcher, id);
    const running = await launcher.list(call);
    return running.some(({ bundleId, name, words = [] }) =>
      [bundleId, name, ...words].some((one) => existing.has(one.toLowerCase()))
    );
  };
  return {
    kind: "process",
    key: `process ${id.toLowerCase()}`,
    label: `process ${id}`,
    async capture(_desktop, call): Promise<Image> {
      return { properties: { running: await runs(call) } };
    },
    async restore(image, _desktop, call) {
      if (image.properties["running"] !== false || !await runs(call)) return "none";
      await launcher.quit(id, call);
      return "quit";
    },
    describe: (): Json => ({ kind: "process", application: id }),
  };
}
