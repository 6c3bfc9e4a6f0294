import { startConnected } from "./bench/place.ts";
import { find, readSelector } from "../src/desktop/selector/mod.ts";
import { Locator } from "../src/desktop/locator/mod.ts";
const n = Number(Deno.args[0]);
await using place = await startConnected({app: `c`, program: "chromium", page: n, title: "ready", bridge: true});
const { desk, application } = place;
const last = 17 * Math.floor((n - 1) / 17);
const sel = `button[name="Button ${last}"]`;
const read = readSelector(sel);
const loc = new Locator(desk, { application, selector: sel });
await loc.resolve(); 
const t: Record<string, number[]> = { snap: [], find: [], el: [], verify: [], placed: [], all: [] , watch: []};
const med = (a: number[]) => { const s = [...a].sort((x, y) => x - y); return [0.1, 0.5, 0.95].map((q) => Math.round(1000 * (s[Math.floor(q * s.length)] ?? 0))); };
const time = async (k: string, f: () => unknown) => { const b = performance.now(); const r = await f(); t[k]!.push(performance.now() - b); return r as never; };
for (let i = 0; i < 500; i++) {
  const snap: any = await time("snap", () => desk.snapshot(application, { source: "held", fields: ["extents", "id"] }));
  const found: any = await time("find", () => find(read, snap));
  const el: any = await time("el", () => snap.element(found.rows[0]));
  await time("verify", () => (desk as any).verify(el));
  await time("placed", () => snap.placed(found.rows[0], undefined));
  await time("watch", () => desk.watch(application).close());
  await time("all", () => loc.resolve());
}
for (const k in t) console.log(k, med(t[k]!));
console.log(Deno.readTextFileSync("/proc/loadavg"));
