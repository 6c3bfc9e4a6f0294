import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import { BackstepError } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import type { Desktop, Window } from "../desktop/desktop.ts";
import { changeWindow } from "../desktop/actions/window-action.ts";
import type { Call } from "../base/call.ts";
import { numbersIn } from "./element.ts";

/** Where a window lies, how large it is, and whether it is minimised. Where a minimised one lay is not told. */
export function windowOf(window: Window): Participant {
  const label = `place of window ${JSON.stringify(window.title.slice(0, 60))}`;
  const look = async (desktop: Desktop, call: Call) => {
    const found = (await desktop.windows(call)).find((one) => one.id === window.id);
    if (found) return found;
    throw new BackstepError("stale", `Cannot read the ${label}: it is closed`);
  };
  return {
    kind: "window",
    key: `window ${window.id}`,
    label,
    async capture(desktop, call): Promise<Image> {
      const { rect, minimised } = await look(desktop, call);
      const { x, y, width, height } = rect;
      return { properties: { minimised, ...(minimised ? {} : { rect: [x, y, width, height] }) } };
    },
    async restore(image, desktop, call) {
      const deadline = Deadline.of(call, 5_000);
      const { minimised } = image.properties;
      const now = await look(desktop, call);
      if (minimised === true) {
        return (await changeWindow(desktop, now, { do: "minimise" }, deadline)).method;
      }
      let method = "none";
      if (now.minimised) ({ method } = await changeWindow(desktop, now, { do: "restore" }, deadline));
      const [x, y, width, height] = numbersIn(image.properties.rect);
      if (x === undefined || y === undefined || width === undefined || height === undefined) return method;
      return (await changeWindow(desktop, now, { do: "place", x, y, width, height }, deadline)).method;
    },
    describe: (): Json => ({ kind: "window", title: window.title.slice(0, 200), pid: window.pid }),
  };
}
