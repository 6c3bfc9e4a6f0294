import type { Call } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import type { Launcher } from "../session/session.ts";

/**
 * Whether an application runs. One that was launched is quit; that one was quit cannot be put back, since what it held
 * unsaved went with it.
 */
export function processOf(launcher: Launcher, id: string): Participant {
  const runs = async (call: Call): Promise<boolean> => {
    const wanted = id.toLowerCase();
    const running = await launcher.list(call);
    return running.some((one) => one.bundleId.toLowerCase() === wanted || one.name.toLowerCase() === wanted);
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
