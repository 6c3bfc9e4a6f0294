import { Deadline } from "../../base/call.ts";
import { unlessGone } from "../../x11/connection.ts";
import { selectEvents } from "../../x11/requests.ts";
import { answered, type AtomName, type EwmhLink } from "./link.ts";

/** Types of events. */
const DESTROY = 17, UNMAP = 18, MAP = 19, CONFIGURE = 22, PROPERTY = 28;
/** Of XKB's one type, the kind that tells of the group. */
const XKB_STATE = 2;
/** Masks of events: of the window itself, and of its properties. */
const STRUCTURE = 1 << 17, PROPERTIES = 1 << 22;
/** Milliseconds that looking for new windows may take. */
const LOOK = 2_000;
/** The properties whose change is news; those of windows and those of the root window do not overlap. */
const NEWS: readonly AtomName[] = [
  "WM_CLASS",
  "WM_HINTS",
  "WM_NAME",
  "_NET_ACTIVE_WINDOW",
  "_NET_CLIENT_LIST",
  "_NET_CURRENT_DESKTOP",
  "_NET_DESKTOP_NAMES",
  "_NET_DESKTOP_VIEWPORT",
  "_NET_FRAME_EXTENTS",
  "_NET_NUMBER_OF_DESKTOPS",
  "_NET_SUPPORTING_WM_CHECK",
  "_NET_WM_ALLOWED_ACTIONS",
  "_NET_WM_DESKTOP",
  "_NET_WM_NAME",
  "_NET_WM_PID",
  "_NET_WM_STATE",
  "_NET_WM_WINDOW_TYPE",
  "_XKB_RULES_NAMES",
];

/** Makes a connection one for events: those of the root window, of each window, of the monitors and of the keyboard. */
export async function listenEwmh(link: EwmhLink, event: () => void, deadline: Deadline): Promise<void> {
  const { x, randr, xkb, root } = link;
  const news = new Set(NEWS.map((name) => link.atom(name)));
  const lists = new Set([link.atom("_NET_CLIENT_LIST"), link.atom("_NET_SUPPORTING_WM_CHECK")]);
  const watched = new Set<number>();
  let looking = false, again = false;

  /** Watches the windows that are new; answers whether there were any. */
  const watch = async (): Promise<boolean> => {
    const [clients, managers] = await Promise.all([
      link.numbers(root, "_NET_CLIENT_LIST"),
      link.numbers(root, "_NET_SUPPORTING_WM_CHECK"),
    ]);
    const there = new Set([...clients, ...managers]);
    for (const one of watched) if (!there.has(one)) watched.delete(one);
    const fresh = [...there].filter((one) => !watched.has(one));
    for (const one of fresh) watched.add(one);
    await Promise.all(fresh.map((one) => unlessGone(x.tell(selectEvents(one, STRUCTURE | PROPERTIES)))));
    return fresh.length > 0;
  };
  /** A window may change before it is watched: what listens reads again. */
  const look = async (): Promise<void> => {
    again = looking;
    if (looking) return;
    looking = true;
    try {
      do {
        again = false;
        if (await answered(watch, "watch the windows", Deadline.after(LOOK))) event();
      } while (again);
    } catch (error) {
      x.fail(error instanceof Error ? error.message : String(error));
    } finally {
      looking = false;
    }
  };

  x.event = (message) => {
    const type = message.getUint8(0) & 0x7f;
    if (type === PROPERTY) {
      const atom = message.getUint32(8, true);
      if (news.has(atom)) event();
      if (lists.has(atom) && message.getUint32(4, true) === root) void look();
    } else if (type === DESTROY) {
      watched.delete(message.getUint32(8, true));
      event();
    } else if (type === MAP || type === UNMAP || type === CONFIGURE) event();
    else if (randr !== undefined && (type === randr.event || type === randr.event + 1)) event();
    else if (xkb !== undefined && type === xkb.event && message.getUint8(1) === XKB_STATE) event();
  };
  const begin = async () => {
    await x.tell(selectEvents(root, STRUCTURE | PROPERTIES));
    if (randr !== undefined) await x.tell(randr.select(root));
    if (xkb !== undefined) await x.tell(xkb.selectGroup());
    await watch();
  };
  await answered(begin, "watch the display", deadline);
}
