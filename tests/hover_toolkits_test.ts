import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../src/base/error.ts";
import { missingFor, toolkit, type ToolkitName } from "../scripts/histories/real/toolkits.ts";
import { type Place, ROOT, withPlace } from "./cli/program.ts";

const fixture = (name: string) => join(ROOT, "tests/fixtures/hover", name);

/** How each is launched, and what its file of an account is called. */
const HOVERED: Readonly<Partial<Record<ToolkitName, (place: Place) => { launch: Json; app: string }>>> = {
  gtk4: ({ work }) => ({
    launch: { app: "/usr/bin/python3", args: [fixture("gtk4.py"), join(work, "account")] },
    app: "/usr/bin/python3",
  }),
  qt: ({ work }) => ({
    launch: { app: "/usr/bin/python3", args: [fixture("qt.py"), join(work, "account")] },
    app: "/usr/bin/python3",
  }),
  chromium: ({ work }) => ({
    launch: {
      app: "chromium",
      args: [
        "--enable-logging",
        `--log-file=${join(work, "account")}`,
        `--app=file://${fixture("page.html")}`,
      ],
    },
    app: "chromium",
  }),
};

/** What it said, in order; Chromium says more than the page does. */
function account(place: Place): string[] {
  const text = readFileSync(join(place.work, "account"), "utf8");
  return [...text.matchAll(/(?:^|"account )(enter|leave|tooltip|clicked)\b/gm)].map(([, word = ""]) => word);
}

for (const name of ["gtk4", "qt", "chromium"] as const) {
  const missing = missingFor(toolkit(name));
  Deno.test({
    name:
      `hover of ${name}: the pointer comes and stays, what explains it shows, nothing is pressed, and it goes again`,
    ignore: missing.length > 0,
    fn: () =>
      withPlace(async (place) => {
        const hovered = HOVERED[name]?.(place);
        assert.ok(hovered);
        const has = (text: string) =>
          `  - assert: { file: account, text: { contains: ${JSON.stringify(text)} }, timeout: 20s }\n`;
        place.file(
          "a.yaml",
          `name: Hover\nsession: isolated\ntimeout: 90s\napp: ${hovered.app}\nbefore:\n` +
            `  - launch: ${
              JSON.stringify(hovered.launch)
            }\n  - assert: 'button[name="Explained"]'\nsteps:\n` +
            `  - hover: 'button[name="Explained"]'\n${has("enter")}${has("tooltip")}` +
            `  - hover: 'button[name="Other"]'\n${has("leave")}`,
        );
        const { code, out, err } = await place.run(["run", "a.yaml"], { timeout: 120_000 });
        assert.equal(code, 0, out + err);
        const said = account(place);
        assert.deepEqual(said.filter((word) => word !== "tooltip"), ["enter", "leave"]);
        assert.ok(said.indexOf("tooltip") > said.indexOf("enter"), said.join());
      }),
  });
}
