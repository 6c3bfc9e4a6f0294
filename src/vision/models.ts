import type { LanguageModel } from "ai";
import { closest } from "../base/closest.ts";
import { BackstepError } from "../base/error.ts";
import { optional } from "../base/optional.ts";

/** The backends of vision that are models, in the order in which they are looked for. */
const BACKENDS = ["anthropic", "openai", "gemini", "ollama", "mlx"] as const;
export type Backend = (typeof BACKENDS)[number];

/** Reads an environment variable. */
export type Env = (name: string) => string | undefined;

/** How a backend is set up. */
interface Setup {
  /** The key's variables, the first that is set; empty: it needs none. */
  readonly keys: readonly string[];
  /** Where its address can be set. */
  readonly address: string;
  /** What is asked unless `BACKSTEP_VLM_MODEL` says otherwise. */
  readonly model: string;
  /** Where a person gets a key. */
  readonly console: string;
}

const SETUPS: Readonly<Record<Backend, Setup>> = {
  anthropic: {
    keys: ["ANTHROPIC_API_KEY"],
    address: "ANTHROPIC_BASE_URL",
    model: "claude-sonnet-4-5",
    console: "https://console.anthropic.com/settings/keys",
  },
  openai: {
    keys: ["OPENAI_API_KEY"],
    address: "OPENAI_BASE_URL",
    model: "gpt-4o",
    console: "https://platform.openai.com/api-keys",
  },
  gemini: {
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    address: "GEMINI_BASE_URL",
    model: "gemini-2.5-flash",
    console: "https://aistudio.google.com/apikey",
  },
  ollama: { keys: [], address: "OLLAMA_HOST", model: "qwen2.5vl", console: "https://ollama.com/download" },
  mlx: {
    keys: [],
    address: "MLX_BASE_URL",
    model: "mlx-community/Qwen2.5-VL-7B-Instruct-4bit",
    console: "https://github.com/Blaizzy/mlx-vlm",
  },
};

/** The backend that the environment asks for by name, or that it is set up for; undefined: none. */
export function chosenBackend(env: Env): Backend | undefined {
  const named = env("BACKSTEP_VLM_BACKEND") ?? env("AXTERMINATOR_VLM_BACKEND");
  if (named === undefined || named === "" || named === "auto" || named === "auto-detect") {
    // A model on this machine is used only where its address is set: nothing is looked for on ports.
    return BACKENDS.find((backend) => isSetUp(backend, env));
  }
  const backend = BACKENDS.find((one) => one === named);
  if (backend) return backend;
  const near = closest(named, BACKENDS);
  throw new BackstepError(
    "usage",
    `Cannot use the vision backend "${named.slice(0, 80)}": there is no such one`,
    {
      hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `There are ${BACKENDS.join(", ")}.`,
    },
  );
}

/** Has it all that it needs? */
export function isSetUp(backend: Backend, env: Env): boolean {
  const { keys, address } = SETUPS[backend];
  return keys.length === 0 ? (env(address) ?? "") !== "" : keyOf(backend, env) !== undefined;
}

/** Its model, with the client library loaded only now. Throws `missing` without its key. */
export async function modelOf(backend: Backend, env: Env): Promise<LanguageModel> {
  const { keys, address, model: usual, console } = SETUPS[backend];
  const name = env("BACKSTEP_VLM_MODEL") ?? usual;
  const key = keyOf(backend, env);
  if (keys.length > 0 && key === undefined) {
    throw new BackstepError("missing", `Cannot ask ${backend}: ${keys[0]} is not set`, {
      hint: `Get a key at ${console} and set ${keys[0]} in the environment of Backstep.`,
      details: { backend, url: console },
    });
  }
  const given = env(address);
  const at = given === undefined || given === "" ? {} : { baseURL: given };
  switch (backend) {
    case "anthropic": {
      const { createAnthropic } = await optional(
        `ask ${backend}`,
        ["@ai-sdk/anthropic", "ai"],
        () => import("@ai-sdk/anthropic"),
      );
      return createAnthropic({ apiKey: key ?? "", ...at })(name);
    }
    case "openai": {
      const { createOpenAI } = await optional(
        `ask ${backend}`,
        ["@ai-sdk/openai", "ai"],
        () => import("@ai-sdk/openai"),
      );
      return createOpenAI({ apiKey: key ?? "", ...at }).chat(name);
    }
    case "gemini": {
      const { createGoogleGenerativeAI } = await optional(
        `ask ${backend}`,
        ["@ai-sdk/google", "ai"],
        () => import("@ai-sdk/google"),
      );
      return createGoogleGenerativeAI({ apiKey: key ?? "", ...at })(name);
    }
    case "ollama":
    case "mlx": {
      const { createOpenAICompatible } = await optional(
        `ask ${backend}`,
        ["@ai-sdk/openai-compatible", "ai"],
        () => import("@ai-sdk/openai-compatible"),
      );
      const home = backend === "ollama" ? "http://127.0.0.1:11434" : "http://127.0.0.1:8080";
      return createOpenAICompatible({ name: backend, baseURL: withVersion(given || home) })(name);
    }
  }
}

function keyOf(backend: Backend, env: Env): string | undefined {
  return SETUPS[backend].keys.map((name) => env(name)).find((key) => key !== undefined && key !== "");
}

/** OLLAMA_HOST is often a host and a port alone; the protocol that both speak lives below `/v1`. */
function withVersion(address: string): string {
  const url = /^https?:\/\//.test(address) ? address : `http://${address}`;
  const bare = url.replace(/\/+$/, "");
  return bare.endsWith("/v1") ? bare : `${bare}/v1`;
}
