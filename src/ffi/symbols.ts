/** The `BACKSTEP_ABI` these bindings were written for. */
export const ABI = 16;

/**
 * The native core's exported functions (`native/include/backstep.h`), in the notation of `Deno.dlopen`. Scalars and
 * caller-allocated buffers only, so that a permission for this one file is enough (pointers and callbacks would need
 * unrestricted FFI). Calls that block are `nonblocking`: they run on a thread and answer with a promise.
 */
export const symbols = {
  backstep_abi: { parameters: [], result: "u32" },
  backstep_open: { parameters: [], result: "i64" },
  backstep_close: { parameters: ["u64"], result: "i32", nonblocking: true },
  backstep_submit: { parameters: ["u64", "u32", "buffer", "u32", "u32"], result: "i64" },
  backstep_wait: { parameters: ["buffer", "u32", "u32"], result: "i32", nonblocking: true },
  backstep_take: { parameters: ["u64", "u64", "buffer", "u32"], result: "i64" },
  backstep_cancel: { parameters: ["u64", "u64"], result: "i32" },
  backstep_peek: { parameters: ["u64", "buffer", "u32"], result: "i64" },
  backstep_wake: { parameters: [], result: "i32" },
} as const;
