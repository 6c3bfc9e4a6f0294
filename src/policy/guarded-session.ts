import type { Call } from "../base/call.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { CatalogueEntry, Session } from "../session/session.ts";
import type { WindowManager } from "../wm/model.ts";
import { appBlocked, type DesktopPolicy, guardDesktop } from "./guarded-desktop.ts";
import { guardWindowManager } from "./guarded-window-manager.ts";
import type { AppIdentity } from "./security.ts";

/**
 * The same session as a policy lets it be used: its desktop is guarded, and what is blocked is neither listed nor launched
 * nor quit.
 */
export function guardSession(raw: Session, policy: DesktopPolicy): Session {
  let guarded: { readonly raw: Desktop; readonly desktop: Desktop } | undefined;
  const desktopNow = (): Desktop => {
    // A private desktop can be replaced by a new one.
    if (guarded?.raw !== raw.desktop) {
      guarded = { raw: raw.desktop, desktop: guardDesktop(raw.desktop, policy) };
    }
    return guarded.desktop;
  };
  let managed: { readonly raw: WindowManager; readonly manager: WindowManager } | undefined;
  const managerNow = async (call?: Call): Promise<WindowManager | undefined> => {
    const manager = await raw.windowManager?.(call);
    if (manager === undefined) return undefined;
    if (managed?.raw !== manager) {
      managed = { raw: manager, manager: guardWindowManager(manager, raw.desktop, policy) };
    }
    return managed.manager;
  };
  const reasonOf = (app: AppIdentity) => policy.restricts ? policy.blocked(app) : undefined;
  const named = async (id: string): Promise<AppIdentity> => {
    const wanted = folded(id);
    const meant = (await raw.launcher.catalogue()).filter((one) =>
      [one.id, one.name, one.executable].some((name) => folded(name) === wanted)
    );
    const placed = raw.launcher.at?.(id.trim());
    const names = [...meant, ...placed ? [placed] : []].flatMap((one) => [one.id, one.name, one.executable]);
    return { name: id, executable: id, pid: 0, names };
  };
  const refuse = async (id: string) => {
    if (!policy.restricts || id.trim() === "") return;
    const reason = reasonOf(await named(id));
    if (reason !== undefined) throw appBlocked(id, reason);
  };
  const list = async (call?: Call) => {
    const running = await raw.launcher.list(call);
    if (!policy.restricts) return running;
    const seen = new Set((await desktopNow().applications(call)).map(({ pid }) => pid));
    return running.filter(({ processId, name, bundleId }) =>
      seen.has(processId) && reasonOf({ name, id: bundleId, pid: processId }) === undefined
    );
  };
  return {
    kind: raw.kind,
    get label() {
      return raw.label;
    },
    get desktop() {
      return desktopNow();
    },
    launcher: {
      async catalogue() {
        return (await raw.launcher.catalogue()).filter((one) => reasonOf(entryOf(one)) === undefined);
      },
      async launch(id, options) {
        await refuse(id);
        return await raw.launcher.launch(id, options);
      },
      async quit(id, options) {
        await refuse(id);
        if (policy.restricts) {
          const [all, shown] = [await raw.launcher.list(options), await list(options)];
          const hidden = all.find((one) =>
            [one.bundleId, one.name].some((name) => folded(name) === folded(id)) &&
            !shown.some(({ processId }) => processId === one.processId)
          );
          if (hidden) throw appBlocked(id, "it is blocked");
        }
        return await raw.launcher.quit(id, options);
      },
      list,
    },
    get home() {
      return raw.home;
    },
    get id() {
      return raw.id;
    },
    get settings() {
      return raw.settings;
    },
    ...(raw.windowManager ? { windowManager: managerNow } : {}),
    ...(raw.rebuild ? { rebuild: (call) => raw.rebuild?.(call) ?? Promise.resolve() } : {}),
    close: (options) => raw.close(options),
  };
}

function folded(name: string): string {
  return name.trim().toLowerCase().replace(/\.desktop$/, "");
}

function entryOf({ id, name, executable }: CatalogueEntry): AppIdentity {
  return { name, id, executable, pid: 0 };
}
