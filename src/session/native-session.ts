import type { Call } from "../base/call.ts";
import type { WindowManager } from "../wm/model.ts";
import type { PrivateDesktop } from "./private-desktop.ts";
import type { Session } from "./session.ts";

/** A session on a real desktop knows more than the contract asks for. */
export interface NativeSession extends Session {
  /** The environment of what is launched on it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The private desktop that belongs to it; undefined when it was there before. */
  readonly privateDesktop: PrivateDesktop | undefined;
  windowManager(call?: Call): Promise<WindowManager | undefined>;
}
