import type { Call } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import { Reply } from "../../ffi/reply.ts";
import { Request } from "../../ffi/request.ts";
import type { ClipboardContent, ClipboardItem, WholeClipboard } from "../whole-clipboard.ts";

type Submit = (op: OpNumber, request: Bytes, call: Call) => Promise<Bytes>;

const SELECTION = "CLIPBOARD";
const TEXT = "UTF8_STRING";
/** What a text is offered as: the X convention, and what browsers and toolkits ask for besides. */
const TARGETS = [TEXT, "text/plain;charset=utf-8", "text/plain"];

/** The clipboard's text; undefined when it holds none (it is empty, or holds a picture). */
export async function readClipboardText(submit: Submit, call: Call): Promise<string | undefined> {
  try {
    const bytes = await submit(Op.clipRead, new Request().str(SELECTION).str(TEXT).bytes(), call);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof BackstepError && error.code === "unsupported") return undefined;
    throw error;
  }
}

/** Makes `text` the clipboard's content, for as long as the session stands; undefined empties it. */
export async function writeClipboardText(
  submit: Submit,
  text: string | undefined,
  call: Call,
): Promise<void> {
  const request = new Request().str(SELECTION);
  if (text === undefined) {
    request.u32(0);
  } else {
    request.u32(TARGETS.length);
    for (const target of TARGETS) request.str(target).str(text);
  }
  await submit(Op.clipWrite, request.bytes(), call);
}

const LEFT = [undefined, "too large", "no answer", "numbers of the server"] as const;

/** The clipboard in all its types. */
export function wholeClipboard(submit: Submit): WholeClipboard {
  return {
    async keep({ most, all }, call = {}) {
      const request = new Request().str(SELECTION).u32(most).u32(all).bytes();
      return contentIn(new Reply(await submit(Op.clipKeep, request, call)));
    },
    async restore(items, call = {}) {
      const request = new Request().str(SELECTION).u32(items.length);
      for (const { target, type, bytes } of items) request.str(target).str(type).blob(bytes);
      await submit(Op.clipRestore, request.bytes(), call);
    },
  };
}

function contentIn(reply: Reply): ClipboardContent {
  const [owner, since] = [reply.u32(), reply.u32()];
  const items: ClipboardItem[] = [];
  const left: ClipboardContent["left"][number][] = [];
  for (let n = reply.count(16); n > 0; n--) {
    const target = reply.str();
    const type = reply.str() || target;
    const why = LEFT[reply.u32()];
    const bytes = reply.bytes(reply.u32());
    if (why === undefined) items.push({ target, type, bytes });
    else left.push({ target, why });
  }
  reply.end();
  return { items, left, owner: owner === 0 ? "" : `${owner} since ${since}` };
}
