import type { ToolArguments } from "../../tools/tool.ts";
import { asMap } from "../../base/json.ts";
import { axScreenshot } from "../../tools/observe/screenshot.ts";
import { ToolFailure } from "../server/failure.ts";
import type { McpCall } from "../server/call.ts";
import { memoryOf } from "../session/short-memory.ts";
import { CACHES } from "../server/caches.ts";
import { wrappedContent } from "../server/untrusted.ts";
import { connectionOf, withApps } from "../session/with-app.ts";
import type { Content } from "../server/wire.ts";
import { elementThere } from "./element-there.ts";
import { look, type Looked } from "./look.ts";
import { requireArguments } from "./arguments.ts";
import { served } from "./serve.ts";

/** Characters of base64 that an answer may hold: messages of more than 10 MiB end a connection. */
const MOST = 5_000_000;

/** Pictures an application, an element or the screen. */
export const screenshot = served(axScreenshot, async (given, call) => {
  requireArguments(axScreenshot, given);
  const { interpret: described, ...args } = given;
  const { session } = call;
  const { args: mapped } = withApps(session, axScreenshot.name, args);
  const { screenshots } = session.host.caches ?? CACHES;
  call.progress("Capturing screenshot", 0, 1);
  const { value, hit } = await memoryOf(session.host).answer(
    `screenshot ${session.id} ${JSON.stringify(mapped)}`,
    screenshots,
    isLooked,
    async () => {
      await elementThere(args["app"], args["query"], call);
      return await look(axScreenshot, args, call, {
        input: (input) => ({ ...asMap(input), inline: true }),
      });
    },
  );
  call.progress("Captured", 1, 1);
  const data = String(value.output["data"] ?? "");
  const named = typeof args["app"] === "string" ? connectionOf(session, args["app"]).name : undefined;
  const picture = data.length <= MOST ? pictureOf(data) : linkTo(named, args, data.length);
  const words = described === true && picture.type === "image"
    ? [await wordsOf(picture, named ?? "the screen", call)]
    : [];
  return {
    structured: value.result,
    content: [picture, ...words],
    log: { cache_hit: hit },
  };
});

/** What the client's model sees in it: words of a picture of applications, and so data. */
async function wordsOf(
  picture: Content & { readonly type: "image" },
  app: string,
  call: McpCall,
): Promise<Content> {
  call.progress("Asking the client's model", 1, 1);
  const { interpret } = await import("../sampling/interpret.ts");
  const { text, model } = await interpret(picture, app, call);
  return model === undefined ? { type: "text", text } : wrappedContent(text, `${model} on ${app}`);
}

/** A PNG as the protocol carries it. */
export function pictureOf(data: string): Content & { readonly type: "image" } {
  return { type: "image", data, mimeType: "image/png" };
}

/** Too large for an answer: the resource of the same picture, where there is one. */
function linkTo(app: string | undefined, args: ToolArguments, size: number): Content {
  const part = args["region"] !== undefined || args["query"] !== undefined ||
    Number(args["window_index"] ?? 0) > 0;
  if (app !== undefined && !part) {
    const uri = `axterminator://app/${encodeURIComponent(app)}/screenshot`;
    return { type: "resource_link", uri, name: `Screenshot of ${app}`, mimeType: "image/png" };
  }
  throw new ToolFailure("InvalidValue", `The picture has ${size} characters, ${MOST} fit an answer`, {
    suggestion: "Ask for a smaller region.",
    data: { size, most: MOST },
  });
}

function isLooked(value: unknown): value is Looked {
  return typeof value === "object" && value !== null && "output" in value && "result" in value;
}
