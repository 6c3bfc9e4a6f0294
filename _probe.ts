import { openSession } from "/tmp/wt/audit/src/session/open-session.ts";
import { roleOf } from "/tmp/wt/audit/src/desktop/roles.ts";
const [prog, ...args] = Deno.args;
const s = await openSession({ kind: "isolated", state: "/tmp/audit-state", width: 1280, height: 1000 });
try {
  await s.launcher.launch(prog!, { args, timeout: 30000 }); if (prog === "chromium") await new Promise((r) => setTimeout(r, 3000));
  await new Promise((r) => setTimeout(r, 2500));
  const apps = await s.desktop.applications();
  for (const app of apps) {
    console.log("APP", JSON.stringify(app));
    const t0 = performance.now();
    const snap = await s.desktop.snapshot(app, { fields: ["extents","text","value","actions","attributes","selection","id","relations","keys","textRect","textStyle"] });
    console.log("ms", performance.now() - t0, snap.size, snap.origin.calls);
    for (let r = 0; r < snap.size; r++) {
      const rel = snap.columns.relations ? snap.string(snap.columns.relations[r]!) : "";
      const rect = snap.rect(r), tr = snap.textRect(r);
      const st = ["focusable","showing","visible","sensitive","checkable","hasPopup"].filter((x: any) => snap.has(r, x)).map((x) => x.slice(0,4)).join(",");
      console.log("  ".repeat(snap.depth(r)) + `${roleOf(snap.role(r), snap.statesLow(r), snap.statesHigh(r)).name} ${JSON.stringify(snap.name(r))} d=${JSON.stringify(snap.description(r))} id=${snap.id(r)} t=${JSON.stringify(snap.text(r))} [${st}] r=${rect ? [rect.x,rect.y,rect.width,rect.height] : "-"} tr=${tr ? [tr.x,tr.y,tr.width,tr.height] : "-"} a=${snap.actions(r)} k=${snap.keys(r)} ts=${JSON.stringify(snap.textStyle(r))} rel=${rel.replaceAll("\n"," | ").replaceAll("/org/a11y/atspi/accessible","")} at=${JSON.stringify(snap.attributes(r))} i=${snap.columns.interfaces[r]} v=${JSON.stringify(snap.value(r))}`);
    }
  }
  console.log(JSON.stringify(await s.desktop.windows()));
  const { encodePng } = await import("/tmp/wt/audit/src/operations/png.ts");
  Deno.writeFileSync("/tmp/audit-shot.png", encodePng(await s.desktop.screenshot({ what: "screen" })));
} finally { await s.close(); }
