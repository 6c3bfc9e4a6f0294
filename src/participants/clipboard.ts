import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Call } from "../base/call.ts";
import { type Json, toBackstepError } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { ClipboardContent, ClipboardItem, WholeClipboard } from "../desktop/whole-clipboard.ts";

/** Bytes of one content, and of all together: what is larger is named and not kept. */
const LIMITS = { most: 4 << 20, all: 8 << 20 };
/** Contents that can be put there again. */
const CONTENTS = 64;
/** The target that a text is read under. */
const TEXT = "UTF8_STRING";

/**
 * The clipboard with every content that its owner offers, by type. What cannot be kept is named: too large, not answered
 * within a second (its owner would have to make it first), or numbers that mean something only while their owner
 * lives. What was restored lives as long as the session, whoever owned it before. On a desktop that has only text
 * there, it is the text.
 */
export function clipboardOf(): Participant {
  return {
    kind: "clipboard",
    key: "clipboard",
    label: "clipboard",
    async capture(desktop, call) {
      if (!desktop.wholeClipboard) return textImage(await desktop.readClipboard(call));
      return await imageOf(desktop.wholeClipboard, call);
    },
    async restore(image, desktop, call) {
      const items = itemsOf(image);
      if (desktop.wholeClipboard && items) await desktop.wholeClipboard.restore(items, call);
      else await writeText(image, desktop, call);
      return "selection owner";
    },
    describe: () => ({ kind: "clipboard" }),
  };
}

function textImage(text: string | undefined): Image {
  return { properties: { text: text ?? null } };
}

async function writeText({ properties: { text } }: Image, desktop: Desktop, call: Call): Promise<void> {
  await desktop.writeClipboard(typeof text === "string" ? text : undefined, call);
}

async function imageOf(whole: WholeClipboard, call: Call): Promise<Image> {
  try {
    return image(await keep(whole, call));
  } catch (thrown) {
    const { code, details } = toBackstepError(thrown);
    // Nothing was done by asking: an owner that hangs must not keep the rest from being restored.
    if (code !== "timeout" || details?.outcome !== "unknown") throw thrown;
    return { properties: {}, unrestorable: { content: "the application that owns it does not answer" } };
  }
}

/** Once more where it changed hands while it was read. */
async function keep(whole: WholeClipboard, call: Call): Promise<ClipboardContent> {
  try {
    return await whole.keep(LIMITS, call);
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "refused") throw thrown;
    return await whole.keep(LIMITS, call);
  }
}

function image({ items, left, owner }: ClipboardContent): Image {
  const text = items.find(({ target }) => target === TEXT);
  const properties: Record<string, Json> = { text: text ? textIn(text.bytes) ?? null : null };
  const unrestorable: Record<string, string> = {};
  for (const [index, item] of items.entries()) {
    if (index >= CONTENTS) unrestorable[item.target] = `there are more than ${CONTENTS} types`;
    if (item !== text) properties[item.target] = reported(item, text);
  }
  for (const { target, why } of left) {
    // As long as its owner set nothing else, it is still there.
    properties[target] = `not kept, of ${owner}`;
    unrestorable[target] = WHY[why];
  }
  return {
    properties,
    incidental: { contents: items.slice(0, CONTENTS).map((item) => contentJson(item, text)) },
    ...(Object.keys(unrestorable).length > 0 ? { unrestorable } : {}),
  };
}

const WHY: Readonly<Record<ClipboardContent["left"][number]["why"], string>> = {
  "too large": `it has more than ${LIMITS.most >> 20} MiB, or all together more than ${LIMITS.all >> 20}`,
  "no answer": "its owner did not give it within a second",
  "numbers of the server": "it is numbers that mean something only to its owner",
};

/** A content as results name it: never the content itself, but for the text. */
function reported({ type, bytes }: ClipboardItem, text: ClipboardItem | undefined): string {
  if (text && Buffer.from(text.bytes).equals(bytes)) return "the text";
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return `${bytes.length} bytes of ${type}, ${digest}`;
}

const Content = z.object({ target: z.string(), type: z.string() }).and(z.union([
  z.object({ text: z.string() }),
  z.object({ base64: z.string() }),
  z.object({ same: z.literal(true) }),
]));
const Contents = z.array(Content);

/** Text stays text, so that a secret in it is masked where it is written down. */
function contentJson(item: ClipboardItem, text: ClipboardItem | undefined): Json {
  const { target, type, bytes } = item;
  if (text && item !== text && Buffer.from(text.bytes).equals(bytes)) return { target, type, same: true };
  const words = textIn(bytes);
  return words === undefined
    ? { target, type, base64: Buffer.from(bytes).toString("base64") }
    : { target, type, text: words };
}

/** What an image holds; undefined: it knows of the text only. */
function itemsOf({ incidental, properties }: Image): ClipboardItem[] | undefined {
  const contents = Contents.safeParse(incidental?.["contents"]);
  if (!contents.success) return undefined;
  const text = typeof properties.text === "string" ? properties.text : "";
  return contents.data.map((content) => ({
    target: content.target,
    type: content.type,
    bytes: "base64" in content
      ? Buffer.from(content.base64, "base64")
      : new TextEncoder().encode("text" in content ? content.text : text),
  }));
}

/** Bytes that are text, as text; undefined: they are none. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}
