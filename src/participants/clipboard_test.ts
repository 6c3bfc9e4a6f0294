import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { differences, type Image } from "../contract/participant.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { inBackground } from "../desktop/mode.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import type { ClipboardContent, ClipboardItem } from "../desktop/whole-clipboard.ts";
import { clipboardOf } from "./clipboard.ts";

const text = (target: string, words: string, type = target): ClipboardItem => ({
  target,
  type,
  bytes: new TextEncoder().encode(words),
});
const PNG: ClipboardItem = {
  target: "image/png",
  type: "image/png",
  bytes: new Uint8Array([0x89, 0x50, 0, 255]),
};
const ITEMS = [
  text("UTF8_STRING", "Grüße"),
  text("text/plain", "Grüße"),
  text("text/html", "<b>Grüße</b>"),
  PNG,
];
const content = (
  items: readonly ClipboardItem[],
  left: ClipboardContent["left"] = [],
  owner = "7 since 1",
) => ({
  items,
  left,
  owner,
});

/** A clipboard that holds what is put there; `answers` says what the next questions are answered with instead. */
async function withClipboard(
  held: ClipboardContent,
  use: (desktop: Desktop, now: () => ClipboardContent, answers: (() => never)[]) => Promise<void>,
): Promise<void> {
  const inner = simulate({ applications: [], clock: "virtual" });
  const answers: (() => never)[] = [];
  let now = held;
  try {
    const desktop: Desktop = {
      ...inBackground(inner),
      wholeClipboard: {
        keep: () => Promise.resolve().then(() => answers.shift()?.() ?? now),
        restore(items) {
          now = content(items, [], "8 since 2");
          return Promise.resolve();
        },
      },
    };
    await use(desktop, () => now, answers);
  } finally {
    await inner.close();
  }
}

/** An image as another process finds it in the journal. */
const written = (image: Image): Image => JSON.parse(JSON.stringify(image));

Deno.test("every type of the clipboard is kept, shown by size and digest, and restored as it was", () =>
  withClipboard(content(ITEMS), async (desktop, now) => {
    const participant = clipboardOf();
    const before = written(await participant.capture(desktop, {}));
    assert.equal(before.properties.text, "Grüße");
    assert.equal(before.properties["text/plain"], "the text");
    assert.match(String(before.properties["text/html"]), /^14 bytes of text\/html, [0-9a-f]{16}$/);
    assert.match(String(before.properties["image/png"]), /^4 bytes of image\/png, [0-9a-f]{16}$/);
    await desktop.wholeClipboard?.restore([text("UTF8_STRING", "ours")]);
    const after = await participant.capture(desktop, {});
    assert.deepEqual(differences("", before, after).map(({ property }) => property), [
      "image/png",
      "text",
      "text/html",
      "text/plain",
    ]);
    await participant.restore(before, desktop, {});
    assert.deepEqual(
      now().items.map((one) => ({ ...one, bytes: [...one.bytes] })),
      ITEMS.map((one) => ({
        ...one,
        bytes: [...one.bytes],
      })),
    );
    assert.deepEqual(differences("", before, await participant.capture(desktop, {})), []);
  }));

Deno.test("what cannot be kept is named, and stands as long as its owner set nothing else", () =>
  withClipboard(
    content(ITEMS, [{ target: "image/bmp", why: "too large" }, {
      target: "COLORMAP",
      why: "numbers of the server",
    }]),
    async (desktop) => {
      const participant = clipboardOf();
      const before = await participant.capture(desktop, {});
      assert.deepEqual(Object.keys(before.unrestorable ?? {}), ["image/bmp", "COLORMAP"]);
      assert.deepEqual(differences("", before, await participant.capture(desktop, {})), [], "as it was");
      await participant.restore(before, desktop, {});
      assert.deepEqual(
        differences("", before, await participant.capture(desktop, {})).map(({ property }) => property),
        ["COLORMAP", "image/bmp"],
      );
    },
  ));

Deno.test("an owner that does not answer costs its own content, and one that changes is asked once more", () =>
  withClipboard(content(ITEMS), async (desktop, _now, answers) => {
    const participant = clipboardOf();
    const fail = (code: "refused" | "timeout", outcome: string) => () => {
      throw new BackstepError(code, "Cannot read it", { details: { outcome } });
    };
    answers.push(fail("refused", "unknown"));
    assert.equal((await participant.capture(desktop, {})).properties.text, "Grüße");
    answers.push(fail("timeout", "unknown"));
    assert.deepEqual(await participant.capture(desktop, {}), {
      properties: {},
      unrestorable: { content: "the application that owns it does not answer" },
    });
    answers.push(fail("timeout", "not_sent"));
    await assert.rejects(participant.capture(desktop, {}), { code: "timeout" });
  }));

Deno.test("an empty clipboard is emptied again", () =>
  withClipboard(content([], [], ""), async (desktop, now) => {
    const participant = clipboardOf();
    const before = written(await participant.capture(desktop, {}));
    assert.deepEqual(before.properties, { text: null });
    await desktop.wholeClipboard?.restore(ITEMS);
    await participant.restore(before, desktop, {});
    assert.deepEqual(now().items, []);
  }));
