import type { Participant } from "../../contract/participant.ts";
import { RecordingDesktop } from "../../contract/recording-desktop.ts";
import type { Application, Desktop, SnapshotOptions } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";

/**
 * Reads participants at one moment: all at once, and those of one application from the same tree where they need one. What
 * has to be moved into view to be read is read afterwards, one after another.
 */
export async function readTogether<T, R>(
  all: readonly T[],
  participantOf: (one: T) => Participant,
  desktop: Desktop,
  read: (one: T, desktop: Desktop) => Promise<R>,
): Promise<R[]> {
  const look = oneLook(desktop);
  const found = await Promise.all(all.map(async (one): Promise<{ readonly read: R } | undefined> => {
    return participantOf(one).moves ? undefined : { read: await read(one, look) };
  }));
  const results: R[] = [];
  for (const [index, one] of all.entries()) {
    const done = found[index];
    results.push(done ? done.read : await read(one, desktop));
  }
  return results;
}

/** A desktop of one moment: the same question about applications and whole trees is asked once, until something is done. */
function oneLook(desktop: Desktop): Desktop {
  let applications: Promise<Application[]> | undefined;
  const trees = new Map<string, Promise<Snapshot>>();
  const recording = new RecordingDesktop(desktop, {
    about() {
      applications = undefined;
      trees.clear();
      return Promise.resolve();
    },
  });
  return {
    ...recording.desktop,
    applications: (call) => applications ??= desktop.applications(call),
    snapshot(application, options = {}) {
      const key = keyOf(application, options);
      if (key === undefined) return desktop.snapshot(application, options);
      const tree = trees.get(key) ?? desktop.snapshot(application, options);
      trees.set(key, tree);
      return tree;
    },
  };
}

/** What is asked of which whole tree; undefined: a part of one. */
function keyOf({ bus }: Application, options: SnapshotOptions): string | undefined {
  const { root, fields, maxDepth, maxNodes, maxText, source } = options;
  if (root !== undefined) return undefined;
  return JSON.stringify([bus, fields && [...fields].sort(), maxDepth, maxNodes, maxText, source]);
}
