import { getGeometry } from "../../x11/requests.ts";
import { atomName } from "../../x11/requests.ts";
import type { Randr, XCrtc, XMode, XMonitor, XOutputInfo } from "../../x11/randr.ts";
import type { WmMode, WmOutput } from "../model.ts";
import type { EwmhLink } from "./link.ts";

/** How an output is turned, by RandR's number; what is mirrored is not told. */
const TRANSFORMS: ReadonlyMap<number, string> = new Map([[1, "Normal"], [2, "90"], [4, "180"], [8, "270"]]);
/** The name of the output of a display that has none. */
const WHOLE = "screen";

/** The monitors, the primary one first; the whole screen where the display tells of none. */
export async function ewmhOutputs(link: EwmhLink): Promise<readonly WmOutput[]> {
  const { x, randr, root } = link;
  const monitors = randr === undefined ? [] : await x.ask(randr.monitors(root));
  if (randr === undefined || monitors.length === 0) {
    const { width, height } = await x.ask(getGeometry(root));
    return [outputOf(WHOLE, { x: 0, y: 0, width, height }, null, undefined)];
  }
  const { modes, time } = await x.ask(randr.resources(root));
  const found = monitors.map(async (monitor) => {
    const [name, shown] = await Promise.all([
      x.ask(atomName(monitor.name)),
      shownOn(link, randr, monitor, modes, time),
    ]);
    const [width, height] = monitor.millimetres;
    return outputOf(name, monitor, width > 0 && height > 0 ? [width, height] : null, shown);
  });
  const outputs = await Promise.all(found);
  const primary = monitors.findIndex((one) => one.primary);
  return primary < 1 ? outputs : [...outputs.splice(primary, 1), ...outputs];
}

/** What a monitor is shown on, with its modes. */
interface Shown {
  readonly info: XOutputInfo;
  readonly crtc: XCrtc;
  readonly modes: readonly XMode[];
}

/** Undefined: the monitor is a part of one, several together, or made up. */
async function shownOn(
  { x }: EwmhLink,
  randr: Randr,
  monitor: XMonitor,
  modes: readonly XMode[],
  time: number,
): Promise<Shown | undefined> {
  const [output, ...others] = monitor.outputs;
  if (output === undefined || others.length > 0) return undefined;
  const info = await x.ask(randr.output(output, time));
  if (info.crtc === 0) return undefined;
  const crtc = await x.ask(randr.crtc(info.crtc, time));
  const fits = crtc.x === monitor.x && crtc.y === monitor.y && crtc.width === monitor.width &&
    crtc.height === monitor.height;
  return fits ? { info, crtc, modes } : undefined;
}

function outputOf(
  name: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  physical_size: WmOutput["physical_size"],
  shown: Shown | undefined,
): WmOutput {
  const ids = shown?.info.modes ?? [];
  const listed = ids.flatMap((id, at): { id: number; mode: WmMode }[] => {
    const mode = shown?.modes.find((one) => one.id === id);
    if (mode === undefined) return [];
    const is_preferred = at < (shown?.info.preferred ?? 0);
    return [{
      id,
      mode: { width: mode.width, height: mode.height, refresh_rate: mode.refresh, is_preferred },
    }];
  });
  const current = listed.findIndex(({ id }) => id === shown?.crtc.mode);
  const only: WmMode = { width, height, refresh_rate: null, is_preferred: null };
  return {
    name,
    make: null,
    model: null,
    serial: null,
    physical_size,
    modes: current < 0 ? [only] : listed.map(({ mode }) => mode),
    current_mode: Math.max(0, current),
    vrr_supported: null,
    vrr_enabled: null,
    // On X11 a pixel is a logical pixel.
    logical: {
      x,
      y,
      width,
      height,
      scale: 1,
      transform: shown === undefined ? null : TRANSFORMS.get(shown.crtc.rotation) ?? null,
    },
  };
}
