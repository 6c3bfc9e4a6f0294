/**
 * Writes docs/reference/audit-findings.md: what the audit says of real applications on a private desktop, as they are
 * installed here. Run by hand: `deno run -A scripts/audit-findings.ts`.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { audit, AuditOutput } from "../src/operations/audit.ts";
import { waitIdle } from "../src/operations/wait-idle.ts";
import { openSession } from "../src/session/open-session.ts";

const SUBJECTS = [
  { app: "gnome-calculator", from: "gnome-calculator", rests: true },
  { app: "gedit", from: "gedit", rests: true },
  { app: "gtk3-widget-factory", from: "gtk-3-examples", rests: false },
] as const;

/** A progress bar of the widget factory never rests: its window is there, which is enough. */
async function judge(app: string, rests: boolean): Promise<AuditOutput> {
  const session = await openSession({ kind: "isolated" });
  try {
    await session.launcher.launch(app, { timeout: 30_000 });
    const gate = new Gate({ operations: [audit, waitIdle], session, folder: "/", ports: OPEN_PORTS });
    const options = { app, timeout: 60_000 };
    if (rests) await gate.dispatch({ operation: "wait-idle", input: {} }, options);
    const input = { scope: "full", standards: ["wcag_aa", "section508"], keyboard: true, must_pass: false };
    const { output } = await gate.dispatch({ operation: "audit", input }, options);
    return AuditOutput.parse(output);
  } finally {
    await session.close();
  }
}

const versionOf = (from: string) =>
  execFileSync("dpkg-query", ["-W", "-f=${Version}", from], { encoding: "utf8" }).trim();
const cellOf = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function tableOf(findings: AuditOutput["issues"], decides: boolean): string {
  if (findings.length === 0) return "None.";
  const rows = findings.map(({ severity, rule, wcag, element, description, ...rest }) =>
    `| ${severity} | \`${rule}\`${decides && !rest.decides ? " (advisory)" : ""} | ${wcag ?? ""} | \`${
      cellOf(element)
    }\` | ${cellOf(description)} |`
  );
  return ["| severity | rule | WCAG | element | what |", "|---|---|---|---|---|", ...rows].join("\n");
}

const parts: string[] = [];
for (const { app, from, rests } of SUBJECTS) {
  const reported = await judge(app, rests);
  console.log(`${app}: ${reported.summary}`);
  parts.push(
    `## ${app}`,
    `${from} ${versionOf(from)}, called \`${reported.app}\`. ${reported.summary}`,
    `### Issues\n\n${tableOf(reported.issues, true)}`,
    `### To be checked by a person\n\n${tableOf(reported.incomplete, false)}`,
  );
}
const now = new Date().toISOString().slice(0, 10);
const text = `# What the audit says of real applications

\`scripts/audit-findings.ts\` wrote this page on ${now}. It ran \`backstep audit\` with scope \`full\`, the standards \`wcag_aa\` and \`section508\`, and the keyboard walk, on a private desktop of 1280 by 800 pixels: Debian 12, GTK ${
  versionOf("libgtk-3-0")
} and ${versionOf("libgtk-4-1")}, at-spi2-core ${
  versionOf("at-spi2-core")
}. The audit covers only what is on the screen, and no other pages, menus and dialogs.

An issue is a violation of the letter of a rule in the AT-SPI tree or in the pixels. It does not say how well an application can be used in practice. The widget factory shows widgets alone, most of them without labels on purpose.

${parts.join("\n\n")}
`;
writeFileSync(resolve(import.meta.dirname ?? ".", "../docs/reference/audit-findings.md"), text);
