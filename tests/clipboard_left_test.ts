// What a command or a run leaves on the clipboard when it ends. Judged by what another program can paste then.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Deadline, pause } from "../src/base/call.ts";
import { failing, Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

const PASTE = fileURLToPath(new URL("fixtures/clipboard/paste.py", import.meta.url));

/** What a program gets that is started now. */
async function pasted({ session }: Stand): Promise<unknown> {
  const env = { ...session.environment };
  const { stdout } = await promisify(execFile)("/usr/bin/python3", [PASTE], { env, timeout: 15_000 });
  return JSON.parse(stdout);
}

/** A process may end while it is looked at: then there is nothing to read. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Processes that go on offering what was written on this desktop. */
function offering(id: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    const words = /^\d+$/.test(pid) ? readIfThere(`/proc/${pid}/cmdline`).split("\0") : [];
    return words[0]?.endsWith("/backstep-watcher") === true && words[2] === "clipboard" &&
      words[1]?.includes(`bs-${id}/`) === true;
  });
}

/** Once there are so many of them, or in the end. */
async function offeringAtLast(id: string, wanted: number): Promise<number> {
  const deadline = Deadline.after(5_000);
  while (offering(id).length !== wanted && !deadline.passed) await pause(20);
  return offering(id).length;
}

for (const display of ["x11", "wayland"] as const) {
  Deno.test({
    name: `what is written to the clipboard stays there when the command has ended, on ${display}`,
    ignore: display === "wayland" && !isInstalled("/usr/bin/sway"),
    async fn(t) {
      await using stand = await Stand.open(display);
      const id = stand.session.id ?? "";
      /** As a command does: its own connection, which ends with it. */
      const command = async <T>(action: (beside: Stand) => Promise<T>) => {
        await using beside = await stand.beside("focus");
        return await action(beside);
      };

      await t.step("a text", async () => {
        await command((beside) => beside.do("clipboard", { action: "write", text: "Grüße, alle" }));
        assert.deepEqual(await pasted(stand), { text: "Grüße, alle", html: null });
        assert.equal(offering(id).length, 1);
      });

      await t.step("the next one takes its place, and no process stays for the first", async () => {
        await command((beside) => beside.do("clipboard", { action: "write", text: "Second" }));
        assert.deepEqual(await pasted(stand), { text: "Second", html: null });
        assert.equal(await offeringAtLast(id, 1), 1);
      });

      await t.step("what a rollback restored, in all its types", async () => {
        const { wholeClipboard } = stand.session.desktop;
        assert.ok(wholeClipboard);
        // Larger than what X11 gives in one piece.
        const html = new TextEncoder().encode(`<p>${"Grüße ".repeat(60_000)}</p>`);
        const text = new TextEncoder().encode("theirs");
        await wholeClipboard.restore([
          { target: "UTF8_STRING", type: "UTF8_STRING", bytes: text },
          { target: "text/plain;charset=utf-8", type: "text/plain;charset=utf-8", bytes: text },
          { target: "text/html", type: "text/html", bytes: html },
        ]);
        const theirs = {
          text: "theirs",
          html: [html.length, createHash("sha256").update(html).digest("hex")],
        };
        assert.deepEqual(await pasted(stand), theirs);
        assert.equal(await offeringAtLast(id, 0), 0);
        const { rollback } = await command((beside) =>
          beside.run(failing("paste.py", "clipboard: { action: write, text: ours }"))
        );
        assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
        assert.deepEqual(await pasted(stand), theirs);
      });

      await t.step("not what was emptied", async () => {
        await command((beside) => beside.do("clipboard", { action: "clear" }));
        assert.deepEqual(await pasted(stand), { text: null, html: null });
        assert.equal(await offeringAtLast(id, 0), 0);
      });

      await t.step("until the desktop ends", async () => {
        await command((beside) => beside.do("clipboard", { action: "write", text: "Last" }));
        assert.equal(offering(id).length, 1);
        await stand[Symbol.asyncDispose]();
        assert.equal(await offeringAtLast(id, 0), 0);
      });
    },
  });
}
