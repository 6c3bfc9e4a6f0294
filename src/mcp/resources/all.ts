import type { ResourceProvider } from "../resource.ts";

/** Every family of resources. */
export const resources: readonly ResourceProvider[] = [];
