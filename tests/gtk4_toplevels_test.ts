import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import { rowHas } from "../src/desktop/state-words.ts";
import { openNative } from "../src/session/open-native.ts";
import { type Place, ROOT, withPlace } from "./cli/program.ts";
import { withState } from "./session/traces.ts";
import { isInstalled } from "./_installed.ts";

const FIXTURE = join(ROOT, "tests/fixtures/gtk4/toplevels.py");
const Account = z.object({ answer: z.int().nullable(), mapped: z.record(z.string(), z.boolean()) });

function accountOf(file: string): z.infer<typeof Account> {
  return Account.parse(JSON.parse(readFileSync(file, "utf8")));
}

async function passes(
  place: Place,
  name: string,
  desktop: string,
  steps: string,
  timeout = 60_000,
): Promise<void> {
  place.file(
    `${name}.yaml`,
    `name: ${name}\nsession: isolated\nfiles: ["~/.local/share"]\n${desktop}steps:\n${steps}`,
  );
  const finished = await place.run(["run", `${name}.yaml`], { timeout });
  assert.equal(finished.code, 0, finished.out + finished.err);
}

Deno.test("a file chooser of GTK 4 is a dialog, and stays one for who reads it alone", () =>
  withPlace(async (place) => {
    const file = join(place.work, "account.json");
    await passes(
      place,
      "chooser",
      "app: toplevels.py\n",
      `  - launch: ${JSON.stringify({ app: "/usr/bin/python3", args: [FIXTURE], env: { ACCOUNT: file } })}
  - click: 'button[name="Choose"]'
    irreversible: true
  - wait: 'dialog[name="Take a file"]'
  - assert: { target: 'dialog[name="Take a file"]', visible: true, role: dialog }
  - assert: { target: 'window[name="Top-levels"]', role: window }
  - click: 'dialog[name="Take a file"] button[name^="Leave"]'
    irreversible: true
  - wait: { target: 'dialog', for: gone }
`,
    );
    // GTK_RESPONSE_CANCEL
    assert.equal(accountOf(file).answer, -6);
  }));

Deno.test("what GTK 4 does not draw of a stack is not visible, what lies below something is", () =>
  withState(async (state) => {
    const session = await openNative({ kind: "isolated", state });
    try {
      const file = join(session.home ?? "", "account.json");
      const { desktop, launcher } = session;
      const environment = { ACCOUNT: file };
      const { processId } = await launcher.launch("/usr/bin/python3", { args: [FIXTURE], environment });
      const application = (await desktop.applications()).find(({ pid }) => pid === processId);
      assert.ok(application);
      for (const fruit of [true, false, true, false]) {
        const deadline = Deadline.after(5_000);
        const watch = desktop.watch(application);
        try {
          for (;;) {
            const snapshot = await desktop.snapshot(application, { fields: ["extents"] });
            const rows = Array.from({ length: snapshot.size }, (_, row) => row);
            const shown = Object.fromEntries(
              rows.filter((row) =>
                /^(Apples|Pears|Carrots|Leeks|Beets|Below|Also below|On top)$/.test(snapshot.name(row))
              )
                .map((row) => [snapshot.name(row), rowHas(snapshot, row, "visible")]),
            );
            const turned = existsSync(file) && accountOf(file).mapped["Apples"] === fruit;
            const same = turned && JSON.stringify(Object.entries(shown).sort()) ===
                JSON.stringify(Object.entries(accountOf(file).mapped).sort());
            if (same) {
              const button = rows.find((row) => snapshot.name(row) === "Turn");
              assert.ok(button !== undefined);
              await desktop.act(snapshot.element(button), { do: "action", name: "click" });
              break;
            }
            assert.ok(!deadline.passed, `${JSON.stringify(shown)}; it draws ${readFileSync(file, "utf8")}`);
            await watch.next({ timeout: 200 });
          }
        } finally {
          watch.close();
        }
      }
    } finally {
      await session.close();
    }
  }));

const CLOCKS = "/usr/bin/gnome-clocks";

Deno.test({
  name: isInstalled(CLOCKS)
    ? "Clocks: the spin buttons of a timer show until it runs"
    : `Clocks: ${CLOCKS} is not installed`,
  ignore: !isInstalled(CLOCKS),
  fn: () =>
    withPlace((place) =>
      passes(
        place,
        "clocks",
        "app: gnome-clocks\n",
        `  - launch: gnome-clocks
  - assert: { target: spinbutton, count: 3 }
  - wait: { target: 'spinbutton:visible', for: gone }
  - click: 'tab[name="Timer"]:visible'
    irreversible: true
  - assert: { target: 'spinbutton:visible', count: 3 }
  - click: 'button[name="1 m"]'
    irreversible: true
  - click: 'filler[name="ClocksTimerFace"] button[name="GtkImage"]:visible:enabled'
    irreversible: true
  - wait: { target: 'spinbutton:visible', for: gone }
  - assert: { target: spinbutton, count: 3 }
`,
      )
    ),
});

const CONTACTS = "/usr/bin/gnome-contacts";

Deno.test({
  name: isInstalled(CONTACTS)
    ? "Contacts: with the services it needs a contact is saved; its database says so"
    : `Contacts: ${CONTACTS} is not installed`,
  ignore: !isInstalled(CONTACTS),
  fn: () =>
    withPlace((place) =>
      passes(
        place,
        "contacts",
        "app: org.gnome.Contacts\ndesktop: { services: [org.gnome.evolution.dataserver.*] }\n",
        `  - launch: org.gnome.Contacts
  - click: 'listitem[name="Local Address Book"]'
    irreversible: true
  - click: 'button[name="_Done Done"]:enabled'
    irreversible: true
  - wait: { target: 'label[name="Loading"]:visible', for: gone, timeout: 20s }
  - click: 'button[name="GtkImage"]:visible:nth(1)'
    irreversible: true
  - set: { target: 'textfield[name="GtkEntry"]:visible', value: Ada Lovelace }
  - click: 'button[name="_Add Add"]'
    irreversible: true
  - wait: 'label[name="Ada Lovelace"]:visible'
  - assert: { file: '~/.local/share/evolution/addressbook/system/contacts.db', text: { contains: Ada Lovelace } }
`,
      )
    ),
});
