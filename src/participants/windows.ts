import { type Call, Deadline } from "../base/call.ts";
import { type Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { Image, Participant } from "../contract/participant.ts";
import type { Application, Desktop, Window } from "../desktop/desktop.ts";
import { untilDeadline } from "../desktop/hands/read-back.ts";

/** Milliseconds that a window manager is given to place a window. */
const SHOWS = 1_500;

/**
 * Where the windows of an application are, how large, and whether they are minimised. A window is found again by its id
 * while it stands; one that was closed cannot be put back, and one that came since is left alone. Which of them has the
 * keyboard is put back as far as it goes.
 */
export function windowsOf(application: Application): Participant {
  const label = `windows of ${application.name}`;
  const own = async (desktop: Desktop, call: Call): Promise<Window[]> => {
    const windows = await desktop.windows(call);
    return windows.filter((window) => window.pid === application.pid && !window.popup);
  };
  return {
    kind: "windows",
    key: `windows ${application.bus}`,
    label,
    async capture(desktop, call): Promise<Image> {
      const properties: Record<string, Json> = {};
      let active: number | null = null;
      for (const window of await own(desktop, call)) {
        properties[`window ${window.id}`] = stateOf(window);
        if (window.active) active = window.id;
      }
      return { properties, incidental: { active } };
    },
    async restore(image, desktop, call) {
      const deadline = Deadline.of(call, 5_000);
      const methods = new Set<string>();
      for (const window of await own(desktop, deadline.call())) {
        const wanted = image.properties[`window ${window.id}`];
        if (!isMap(wanted)) continue;
        for (const method of await place(desktop, window, wanted, deadline)) methods.add(method);
      }
      const active = image.incidental?.["active"];
      const now = (await own(desktop, deadline.call())).find((window) => window.id === active);
      // In the background nothing comes to the front, and nothing left it.
      if (now && !now.active && !now.minimised && desktop.mode !== "background") {
        await desktop.window(now.id, { do: "activate" }, deadline.call());
      }
      return [...methods].join(", ") || "none";
    },
    describe: (): Json => ({
      kind: "windows",
      application: application.id ?? application.name,
      pid: application.pid,
    }),
  };
}

/** A minimised window has no place on the screen: it has the one that it comes back to. */
function stateOf({ rect, minimised }: Window): Json {
  if (minimised) return { minimised };
  return { minimised, x: rect.x, y: rect.y, width: rect.width, height: rect.height };
}

async function place(
  desktop: Desktop,
  window: Window,
  wanted: { readonly [key: string]: Json },
  deadline: Deadline,
): Promise<string[]> {
  const methods: string[] = [];
  const see = (holds: (now: Window | undefined) => boolean) =>
    untilDeadline(
      desktop,
      async () => (await desktop.windows(deadline.call())).find((one) => one.id === window.id),
      holds,
      deadline.within(SHOWS),
    );
  if (wanted["minimised"] === false && window.minimised) {
    await desktop.window(window.id, { do: "restore" }, deadline.call());
    await see((now) => now?.minimised === false);
    methods.push("restore");
  }
  if (wanted["minimised"] === true) {
    if (!window.minimised) {
      await desktop.window(window.id, { do: "minimise" }, deadline.call());
      await see((now) => now?.minimised === true);
      methods.push("minimise");
    }
    return methods;
  }
  const { x, y, width, height } = wanted;
  const numbers = [x, y, width, height].every((n) => typeof n === "number");
  if (!numbers || typeof x !== "number" || typeof y !== "number") return methods;
  if (typeof width !== "number" || typeof height !== "number") return methods;
  const there = (now: Window | undefined) =>
    now !== undefined && now.rect.x === x && now.rect.y === y && now.rect.width === width &&
    now.rect.height === height;
  const [now] = (await desktop.windows(deadline.call())).filter((one) => one.id === window.id);
  if (there(now)) return methods;
  await desktop.window(window.id, { do: "place", x, y, width, height }, deadline.call());
  await see(there);
  return [...methods, "place"];
}
