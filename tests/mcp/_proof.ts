import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client, StdioClientTransport } from "../../src/mcp/sdk/_client.ts";
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
} from "../../src/mcp/sdk/sdk.ts";
import type { Json } from "../../src/base/error.ts";
import { isMap } from "../../src/base/json.ts";
import { ROOT, serverCommand } from "./_stdio.ts";

export const REFERENCES = join(ROOT, "tools/references/node_modules");

export type Fields = { readonly [key: string]: Json };

/** What a tool answered, once it was judged. */
export interface Reported {
  /** The structured content; empty where there is none. */
  readonly reported: Fields;
  /** Its texts, one after another. */
  readonly text: string;
  /** Its pictures, in base64. */
  readonly pictures: readonly string[];
}

/** A client of a real server that judges every answer. */
export interface Proof {
  readonly client: Client;
  /** Tools that were called. */
  readonly called: ReadonlySet<string>;
  /** Questions that were put to the person. */
  readonly asked: readonly string[];
  /** Calls a tool that succeeds. */
  tool(name: string, args?: Fields): Promise<Reported>;
  /** Calls a tool that may fail. */
  attempt(name: string, args?: Fields): Promise<void>;
  /** Calls a tool that fails, and answers its error. */
  fails(name: string, args?: Fields): Promise<Fields>;
  /** The text of a resource, as JSON. */
  read(uri: string): Promise<Json>;
  /** Subscribes; what it answers waits for the next update, which may have come meanwhile. */
  subscribe(uri: string): Promise<() => Promise<void>>;
}

interface Validator {
  (value: unknown): boolean;
  readonly errors?: unknown;
}

/** Compiles schemas as an independent validator understands them; undefined: it is not installed. */
function compiler(): (schema: unknown) => Validator {
  const { default: Ajv } = createRequire(`${REFERENCES}/`)("ajv/dist/2020.js");
  const ajv = new Ajv({ strict: true, strictTypes: false, allErrors: true });
  return (schema) => ajv.compile(schema);
}

/** Starts a server as client configurations do, with a client that offers folders and asks its person, who agrees. */
export async function withProof(
  state: string,
  { args, path }: { readonly args: readonly string[]; readonly path: string },
  prove: (proof: Proof) => Promise<void>,
): Promise<void> {
  const { command, args: words, env } = serverCommand(state, ...args);
  const transport = new StdioClientTransport({
    command,
    args: words,
    env: { ...env, PATH: path },
    cwd: "/",
    stderr: "pipe",
  });
  const client = new Client({ name: "proof", version: "1" }, {
    capabilities: { elicitation: { form: {} }, roots: {} },
  });
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    const wanted = "requestedSchema" in params ? params.requestedSchema.required ?? [] : [];
    return { action: "accept", content: Object.fromEntries(wanted.map((name) => [name, true])) };
  });
  client.setRequestHandler(
    ListRootsRequestSchema,
    () => ({ roots: [{ uri: pathToFileURL(state).href, name: "state" }] }),
  );
  const updated = new Map<string, { count: number; heard: () => void }>();
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params: { uri } }) => {
    const one = updated.get(uri);
    if (one === undefined) return;
    one.count++;
    one.heard();
  });
  const called = new Set<string>();
  try {
    await client.connect(transport);
    const compile = compiler();
    const { tools } = await client.listTools();
    const schemas = new Map(
      tools.map(({ name, outputSchema }) => [name, outputSchema && compile(outputSchema)]),
    );
    const call = async (name: string, args: Fields) => {
      called.add(name);
      const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
      const texts = result.content.flatMap((one) => one.type === "text" ? [one.text] : []);
      const { structuredContent } = result;
      const what = `${name} ${JSON.stringify(args)}: ${texts.join("\n").slice(0, 2_000)}`;
      if (structuredContent !== undefined) {
        const mirror = texts.some((text) => parsed(text) === JSON.stringify(structuredContent));
        assert.ok(mirror, `no text says the same: ${what}`);
      }
      const validate = schemas.get(name);
      if (validate !== undefined && result.isError !== true) {
        assert.ok(validate(structuredContent), `${what}: ${JSON.stringify(validate.errors)}`);
      }
      return { result, texts, what };
    };
    await prove({
      client,
      called,
      asked,
      async tool(name, args = {}) {
        const { result, texts, what } = await call(name, args);
        assert.notEqual(result.isError, true, what);
        const reported: Json = JSON.parse(JSON.stringify(result.structuredContent ?? {}));
        assert.ok(isMap(reported));
        return {
          reported,
          text: texts.join("\n"),
          pictures: result.content.flatMap((one) => one.type === "image" ? [one.data] : []),
        };
      },
      async attempt(name, args = {}) {
        await call(name, args);
      },
      async fails(name, args = {}) {
        const { result, texts, what } = await call(name, args);
        assert.equal(result.isError, true, what);
        assert.match(texts[0] ?? "", /^Error: /, what);
        const { error }: Fields = JSON.parse(texts.at(-1) ?? "");
        assert.ok(isMap(error), what);
        for (const key of ["kind", "message", "suggestion"]) assert.equal(typeof error[key], "string", what);
        return error;
      },
      async read(uri) {
        const { contents: [first] } = await client.readResource({ uri });
        assert.ok(first !== undefined && "text" in first, uri);
        return JSON.parse(first.text);
      },
      async subscribe(uri) {
        const one = { count: 0, heard: () => {} };
        updated.set(uri, one);
        await client.subscribeResource({ uri });
        let heard = 0;
        return async () => {
          while (one.count === heard) {
            await within(20_000, uri, new Promise<void>((resolve) => one.heard = resolve));
          }
          heard = one.count;
        };
      },
    });
  } finally {
    await client.close();
  }
}

function parsed(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // Prose.
    return undefined;
  }
}

async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`not told of ${what} within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
