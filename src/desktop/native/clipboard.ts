import type { Call } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import { Request } from "../../ffi/request.ts";

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
