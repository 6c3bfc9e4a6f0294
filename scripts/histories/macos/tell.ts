import { Deadline } from "../../../src/base/call.ts";
import type { MacSystem } from "../../../src/session/macos/system.ts";
import { FORM, OTHER } from "../form.ts";
import { type Compared, tellWith } from "../real/on.ts";
import { REAL } from "../real/stage.ts";
import { FORM_PID, MacFixture, OTHER_PID } from "./fixture.ts";
import { loadStandIn, type StandIn } from "./stand-in.ts";

const APPLICATIONS = [[FORM, "Form", FORM_PID], [OTHER, "Other", OTHER_PID]] as const;

/** The stories of `count` seeds on the simulated desktop and over the macOS core; a text says what is missing. */
export async function tellOnMac(
  options: { readonly seed: number; readonly count: number; say?(line: string): void },
): Promise<Compared | string> {
  const standIn = loadStandIn();
  if (typeof standIn === "string") return standIn;
  const { openMac } = await import("../../../src/session/macos/open.ts");
  let fixture: MacFixture | undefined;
  const session = await openMac(
    { mode: "focus" },
    Deadline.of({ timeout: 20_000 }, 20_000),
    systemOf(standIn, () => fixture),
  );
  const form = fixture = new MacFixture(standIn, session);
  try {
    return await tellWith({
      name: "macos",
      copied: false,
      async stage() {
        await form.reset();
        return {
          desktop: session.desktop,
          launcher: session.launcher,
          kind: session.kind,
          label: session.label,
          home: session.home,
          budgets: REAL,
          copied: false,
          get log() {
            return form.log;
          },
          truth: () => form.truth(),
          carets: () => new Map(),
          flush: () => form.flush(),
          wroteClipboard: (text) => form.clipboard(text),
          person: (key, set) => form.person(key, set),
          die: () => form.die(),
          run: (history) => history(),
          // What can be chosen in a list of AppKit is a row.
          ask: (file) => file.replaceAll("listitem[name=", "row[name="),
          close: () => Promise.resolve(),
        };
      },
    }, options);
  } finally {
    await session.close();
  }
}

/** What macOS would say: who runs and who could. */
function systemOf(standIn: StandIn, fixture: () => MacFixture | undefined): MacSystem {
  return {
    processes: () =>
      Promise.resolve(
        APPLICATIONS.filter(([, , pid]) => fixture()?.runs(pid)).map(([bundleId, name, pid]) => ({
          bundleId,
          name,
          pid,
          hidden: false,
        })),
      ),
    installed: () =>
      APPLICATIONS.map(([id, name]) => ({
        id,
        name,
        executable: name,
        entry: undefined,
        command: ["open", "-a", `/Applications/${name}.app`],
      })),
    open(path) {
      const found = APPLICATIONS.find(([, name]) => path === `/Applications/${name}.app`);
      if (found === undefined) return Promise.reject(new Error(`nobody is at ${path}`));
      standIn.launch(found[2]);
      if (found[2] === OTHER_PID) fixture()?.other(true);
      else fixture()?.started();
      return Promise.resolve();
    },
    terminate(pid) {
      standIn.kill(pid);
      if (pid === OTHER_PID) fixture()?.other(false);
      else fixture()?.quit();
      return Promise.resolve(true);
    },
  };
}
