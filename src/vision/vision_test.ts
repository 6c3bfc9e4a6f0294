import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { BackstepError } from "../base/error.ts";
import { readPng } from "../checks/visual/read-png.ts";
import { encodePng } from "../operations/png.ts";
import { visionFor } from "./vision.ts";
import { chosenBackend } from "./models.ts";

const ANSWER = '{"found": true, "x": 30, "y": 40, "width": 50, "height": 20, "confidence": 0.8}';
const PICTURE = { width: 200, height: 100, rgba: new Uint8Array(4 * 200 * 100).fill(255) };

/** How each server words its answer, and where its requests go. */
const WIRE = {
  anthropic: {
    path: /\/messages$/,
    env: { ANTHROPIC_API_KEY: "key-for-tests" },
    address: "ANTHROPIC_BASE_URL",
    key: "x-api-key",
    body: {
      type: "message",
      id: "m1",
      role: "assistant",
      model: "claude",
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
      content: [{ type: "text", text: ANSWER }],
    },
  },
  openai: {
    path: /\/chat\/completions$/,
    env: { OPENAI_API_KEY: "key-for-tests" },
    address: "OPENAI_BASE_URL",
    key: "authorization",
    body: completion(),
  },
  gemini: {
    path: /:generateContent$/,
    env: { GEMINI_API_KEY: "key-for-tests" },
    address: "GEMINI_BASE_URL",
    key: "x-goog-api-key",
    body: { candidates: [{ content: { role: "model", parts: [{ text: ANSWER }] }, finishReason: "STOP" }] },
  },
  ollama: {
    path: /\/v1\/chat\/completions$/,
    env: {},
    address: "OLLAMA_HOST",
    key: undefined,
    body: completion(),
  },
  mlx: {
    path: /\/v1\/chat\/completions$/,
    env: {},
    address: "MLX_BASE_URL",
    key: undefined,
    body: completion(),
  },
} as const;

function completion() {
  return {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: ANSWER } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

async function served(
  answer: (request: IncomingMessage, body: string) => { status: number; body: unknown } | undefined,
  action: (address: string) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    const parts: Uint8Array[] = [];
    request.on("data", (part: Uint8Array) => parts.push(part));
    request.on("end", () => {
      const given = answer(request, new TextDecoder().decode(concat(parts)));
      if (!given) return;
      response.writeHead(given.status, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify(given.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server.address());
  try {
    await action(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  assert.ok(address !== null && typeof address === "object");
  return address;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function vision(env: { readonly [name: string]: string }) {
  return visionFor({ env: (name) => env[name], encode: encodePng });
}

for (const [backend, { path, env, address, key, body }] of Object.entries(WIRE)) {
  Deno.test(`${backend} is asked in its own words, with the picture, and its answer is a place`, async () => {
    await served((request, text) => {
      assert.match(request.url ?? "", path);
      if (key !== undefined) assert.match(String(request.headers[key]), /key-for-tests$/);
      // The picture goes along: the beginning of every PNG in base64.
      assert.match(text, /iVBORw0KGgo/);
      assert.match(text, /the round button/);
      return { status: 200, body };
    }, async (at) => {
      const found = await vision({ ...env, [address]: at }).locate(PICTURE, "the round button", {
        timeout: 20_000,
      });
      assert.deepEqual(found, {
        rect: { x: 30, y: 40, width: 50, height: 20 },
        confidence: 0.8,
        backend,
        tried: [],
      });
    });
  });
}

Deno.test("a server that refuses is named, its words are not, and the texts are read on this machine", async () => {
  await served(() => ({ status: 401, body: { error: { message: "bad key-for-tests" } } }), async (at) => {
    const found = await vision({ ...WIRE.openai.env, OPENAI_BASE_URL: at })
      .locate(PICTURE, "Save", { timeout: 30_000 });
    assert.equal(found.backend, "ocr");
    assert.equal(found.rect, undefined);
    assert.deepEqual(found.tried, [{
      backend: "openai",
      error: "Cannot ask openai: its server answered 401",
    }]);
  });
});

Deno.test("a server that does not answer costs no more than the call's time", async () => {
  await served(() => undefined, async (at) => {
    await assert.rejects(
      vision({ ...WIRE.openai.env, OPENAI_BASE_URL: at }).locate(PICTURE, "Save", { timeout: 300 }),
      (error) => error instanceof BackstepError && error.code === "timeout",
    );
  });
});

Deno.test("a backend that was asked for by name and has no key says where to get one", async () => {
  await assert.rejects(
    vision({ AXTERMINATOR_VLM_BACKEND: "anthropic" }).locate(PICTURE, "Save", {}),
    (error) =>
      error instanceof BackstepError && error.code === "missing" &&
      error.message.includes("ANTHROPIC_API_KEY") &&
      error.details?.["url"] === "https://console.anthropic.com/settings/keys",
  );
});

Deno.test("a backend that does not exist is told with the nearest one", () => {
  assert.throws(
    () => chosenBackend((name) => name === "BACKSTEP_VLM_BACKEND" ? "antropic" : undefined),
    (error) => error instanceof BackstepError && error.hint === "Did you mean anthropic?",
  );
});

Deno.test("the client's own model goes before a key in the environment", async () => {
  const { locate } = visionFor({
    env: (name) => name === "ANTHROPIC_API_KEY" ? "key-for-tests" : undefined,
    encode: encodePng,
    sampling: () => Promise.resolve(ANSWER),
  });
  assert.equal((await locate(PICTURE, "Save", {})).backend, "sampling");
});

Deno.test("texts of a real picture are read without any key", async () => {
  const file = new URL("../../docs/images/report.png", import.meta.url);
  const picture = await readPng(readFileSync(file), "report.png");
  const { backend, rect, confidence } = await vision({}).locate(picture, 'the "Dark theme" button', {
    timeout: 60_000,
  });
  assert.equal(backend, "ocr");
  assert.ok(rect && rect.y < 40 && rect.x > 1_100, JSON.stringify(rect));
  assert.ok(confidence > 0.7, String(confidence));
});
