import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Participant } from "../../contract/participant.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import { entryWith } from "./_entry.ts";
import { rewind } from "./rollback.ts";

/** Something incidental that is elsewhere by now, and cannot be restored. */
function lost(kind: string): Participant {
  return {
    kind,
    key: kind,
    label: `${kind} of editor`,
    capture: () => Promise.resolve({ properties: {}, incidental: { focused: null } }),
    restore: () => Promise.reject(new BackstepError("timeout", "Cannot focus it")),
    describe: () => null,
  };
}

async function rewound(kind: string, followsFocus: boolean): Promise<boolean> {
  const desktop = simulate({ applications: [] });
  const before = { properties: {}, incidental: { focused: "a field" } };
  const beforeImages = [{ participant: lost(kind), before, after: undefined }];
  const clean = await rewind(entryWith({ beforeImages, outcome: "unknown" }), {
    desktop,
    deadline: Deadline.after(5_000),
    conflict: () => Promise.resolve(false),
    followsFocus,
    reported: ({ verdict }) => assert.equal(verdict, "unrestorable"),
  });
  await desktop.close();
  return clean;
}

Deno.test("a focus that cannot be restored hinders only a step whose keys go where the focus is", async () => {
  assert.equal(await rewound("focus", true), false);
  assert.equal(await rewound("focus", false), true);
  assert.equal(await rewound("clipboard", false), false, "what is pasted is where the step finds it");
});
