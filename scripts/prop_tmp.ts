import { type Program, startConnected } from "./bench/place.ts";
import { connectNative } from "../src/desktop/native/connect.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import { pause } from "../src/base/call.ts";
const name = Deno.args[0]!, rounds = Number(Deno.args[1] ?? 60), settle = Number(Deno.args[2] ?? 0);
const what: Program = name.startsWith("chromium") ? { app: name, program: "chromium", page: 600, title: "ready", bridge: true } : { app: name, program: name };
await using place = await startConnected(what);
const { desk, application, addresses } = place;
const other = await connectNative({ kind: "isolated", label: "other", ...addresses });
console.log(application.toolkit, application.toolkitVersion);
const line = (s: Snapshot, r: number) => `${s.role(r)} ${JSON.stringify(s.name(r))} ${JSON.stringify(s.description(r))} ${s.statesLow(r).toString(16)} ${s.statesHigh(r).toString(16)} kids=${s.columns.children[r]} if=${s.columns.interfaces[r]} ${s.element(r).path} up=${s.parent(r) < 0 ? "" : s.element(s.parent(r)).path}`;
const lines = (s: Snapshot) => Array.from({ length: s.size }, (_, r) => line(s, r));
const SKIP = new Set([23]);
let seed = 12345; const rnd = (n: number) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) % n; };
let mirrored = 0, wrong = 0, unstable = 0, app = 0, last = 0, lastMissed = 0;
const kinds = new Map<string, number>();
await desk.snapshot(application, { source: "held", fields: ["id"] });
let deedText = "";
for (let i = 0; i < rounds; i++) {
  const tree = await other.snapshot(application, { fields: ["extents", "actions"] });
  const rows = Array.from({ length: tree.size }, (_, r) => r).filter((r) => tree.actions(r).length > 0 && tree.has(r, "visible") && !/close|quit|open|about|link|print|Menu|menu/i.test(tree.name(r)) && ![88, 33, 35].includes(tree.role(r)));
  const k = rnd(10);
  try {
    if (k < 7 && rows.length) {
      const r = rows[rnd(rows.length)]!;
      deedText = `action ${tree.actions(r)[0]} on ${line(tree, r)}`;
      await other.act(tree.element(r), { do: "action", name: tree.actions(r)[0] ?? "" }, { timeout: 1500 });
    } else {
      const shown = Array.from({ length: tree.size }, (_, r) => r).filter((r) => tree.rect(r) && tree.rect(r)!.width > 0 && tree.rect(r)!.width < 400 && tree.has(r, "showing"));
      const r = shown[rnd(shown.length)];
      if (r !== undefined && k < 9) {
        const q = tree.rect(r)!;
        deedText = `click on ${line(tree, r)}`;
        await other.pointer({ do: "click", x: q.x + q.width / 2, y: q.y + q.height / 2, button: "left", count: 1 });
      } else { deedText = "keys"; await other.pressKeys([["Tab"], ["down"], ["space"], ["escape"], ["a"]][rnd(5)]!); }
    }
  } catch (e) { deedText += " failed " + (e as Error).message.slice(0, 60); }
  if (settle) await pause(settle);
  let a: string[], b: string[], m: Snapshot;
  try {
    a = lines(await other.snapshot(application, { fields: ["id"] }));
    m = await desk.snapshot(application, { source: "held", fields: ["id"] });
    b = lines(await other.snapshot(application, { fields: ["id"] }));
  } catch (e) { console.log("gone", (e as Error).message); break; }
  if ((m.origin.missed ?? 0) > lastMissed) { lastMissed = m.origin.missed ?? 0; console.log(`  MISSED ${lastMissed} noticed by proof, round ${i}: last deed ${deedText.slice(0, 100)}`); }
  if (m.origin.source === "application") { app++; continue; }
  mirrored++;
  if (a.join("\n") !== b.join("\n")) { unstable++; continue; }
  const c = lines(m);
  if (c.join("\n") === b.join("\n")) continue;
  wrong++;
  const cs = new Set(c), bs = new Set(b);
  const only = c.filter((l) => !bs.has(l)), real = b.filter((l) => !cs.has(l));
  console.log(`WRONG round ${i} after ${deedText.slice(0, 160)}: ${only.length}/${real.length} proven ${m.origin.mirror?.proven}`);
  for (const l of only.slice(0, 3)) { console.log("   mirror " + l); const p = l.split(" ").at(-2); console.log("   truth  " + real.find((x) => x.includes(` ${p} up=`))); }
  if (!only.length || !only[0]) for (const l of real.slice(0, 3)) console.log("   new    " + l);
}
console.log({ rounds, mirrored, app, wrong, unstable, missed: lastMissed, size: (await other.snapshot(application)).size });
await other.close();
