import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import type { RunResult } from "../src/contract/events.ts";
import type { ClipboardContent, ClipboardItem, WholeClipboard } from "../src/desktop/whole-clipboard.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { settled } from "../src/engine/model/settle.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

const LIMITS = { most: 16 << 20, all: 32 << 20 };
const item = (target: string, bytes: Uint8Array, type = target): ClipboardItem => ({ target, type, bytes });
const words = (text: string) => new TextEncoder().encode(text);
/** Larger than one property: it comes chunk by chunk. */
const picture = (size: number) => Uint8Array.from({ length: size }, (_, i) => (i * 2_654_435_761) >>> 13);

/** A private desktop with two clients: the one that runs workflows, and somebody else. */
async function withSomebodyElse(
  use: (
    clipboard: WholeClipboard,
    run: (yaml: string) => Promise<RunResult>,
    session: Session,
  ) => Promise<void>,
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({ kind: "isolated", state });
  try {
    const other = await openSession({ kind: "attach", id: session.id ?? "", state, mode: "focus" });
    try {
      const { wholeClipboard } = other.desktop;
      assert.ok(wholeClipboard);
      await use(
        wholeClipboard,
        (yaml) =>
          runWorkflow(parseWorkflow(yaml, { file: "clipboard.yaml", operations: catalogue }), {
            operations: catalogue,
            session,
            vars: {},
            surroundings: { env: () => undefined, secret: () => undefined },
            folder: state,
            state,
          }),
        session,
      );
    } finally {
      await other.close();
    }
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
}

const WRITES = `name: Clipboard
steps:
  - transaction:
      - clipboard: { action: write, text: ours }
      - assert: { file: nowhere.txt, exists: true, timeout: 0 }
`;
const plain = (items: readonly ClipboardItem[]) =>
  items.map((
    { target, type, bytes },
  ) => [target, type, bytes.length, bytes.reduce((sum, b) => (sum * 31 + b) >>> 0, 0)]);
/** The key was taken; the application gets to it in its own time. */
async function copiedIn(clipboard: WholeClipboard, { desktop }: Session): Promise<ClipboardContent> {
  const limit = Deadline.after(30_000);
  for (;;) {
    const content = await clipboard.keep(LIMITS);
    if (content.items.length >= 3) return content;
    assert.ok(!limit.passed, JSON.stringify(content.items.map(({ target }) => target)));
    await settled(desktop, 50, limit);
  }
}

const summary = ({ error, rollback }: RunResult) =>
  JSON.stringify({ error, rollback }, null, 1).slice(0, 4_000);

Deno.test("what somebody else has on the clipboard comes back in all its types, and what is too large is named", () =>
  withSomebodyElse(async (clipboard, run) => {
    const items = [
      item("text/html", words("<b>Grüße</b>")),
      item("UTF8_STRING", words("Grüße")),
      item("STRING", new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65])),
      item("image/png", picture(1_500_000)),
      item("TEXT", words("Gruesse"), "STRING"),
    ];
    await clipboard.restore(items);
    const result = await run(WRITES);
    const reported = summary(result);
    assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"], reported);
    const now = await clipboard.keep(LIMITS);
    assert.deepEqual(plain(now.items), plain(items));
    assert.deepEqual(now.left, []);

    await clipboard.restore([...items, item("image/bmp", picture(5_000_000))]);
    const cut = await run(WRITES);
    assert.deepEqual([cut.exit, cut.rollback.verdict], [3, "drift"], summary(cut));
    assert.match(cut.rollback.steps[0]?.reason ?? "", /^image\/bmp: it has more than 4 MiB/, summary(cut));
    assert.deepEqual(
      plain((await clipboard.keep(LIMITS)).items),
      plain(items),
      "the rest is back all the same",
    );
  }));

Deno.test("what gedit copied comes back in its types, as far as another client may have them", () =>
  withSomebodyElse(async (clipboard, run, session) => {
    const copied = await run(`name: Copy
app: gedit
on_failure: stop
steps:
  - launch: org.gnome.gedit
  - type: { into: 'textarea:focused', text: 'Every step' }
  - press: ctrl+a
  - press: ctrl+c
`);
    assert.equal(copied.status, "passed", summary(copied));
    const before = await copiedIn(clipboard, session);
    const result = await run(WRITES);
    assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"], summary(result));
    const after = await clipboard.keep(LIMITS);
    assert.notEqual(after.owner, before.owner);
    assert.deepEqual(plain(after.items), plain(before.items));
  }));
