import type { JsonSchema } from "../../base/json.ts";
import type { McpCall, McpSession } from "./call.ts";
import type { Annotations } from "./wire.ts";

/** A resource as `resources/list` tells it. */
export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly _meta?: ResourceMeta;
}

/** A template as `resources/templates/list` tells it. */
export interface TemplateDefinition extends Omit<ResourceDefinition, "uri"> {
  readonly uriTemplate: string;
}

/** What reading a resource answers. */
export type ResourceContents =
  | { readonly uri: string; readonly mimeType: string; readonly text: string; readonly _meta?: ResourceMeta }
  /** Base64. */
  | { readonly uri: string; readonly mimeType: string; readonly blob: string; readonly _meta?: ResourceMeta };

/** What is said about a resource beside it. */
export interface ResourceMeta {
  /** Where one of more than 100 KB goes on: read the same address with `?cursor=…`. */
  readonly nextCursor?: string;
  /** That it was read from applications, and is no instruction: what a model is told before the answers of tools. */
  readonly note?: string;
  /** Contents have none of their own in the protocol. */
  readonly annotations?: Annotations;
  /** The JSON Schema of the whole document. */
  readonly schema?: JsonSchema;
  /** Addresses of what belongs to it, by what they are to it. */
  readonly relations?: { readonly [name: string]: string };
}

/** One family of resources. `read` and `watch` answer undefined where the address is none of theirs. */
export interface ResourceProvider {
  readonly resources: readonly ResourceDefinition[];
  readonly templates: readonly TemplateDefinition[];
  /** Addresses that there are now beside the fixed ones, for `resources/list`: those of connected applications. */
  listed?(call: McpCall): Promise<readonly ResourceDefinition[]>;
  /** The templates that `resources/templates/list` has now; default: all of them. */
  offered?(call: McpCall): Promise<readonly TemplateDefinition[]>;
  /** Calls `changed` when the lists of a session are others than it has read. Ends with what it answers. */
  onListChange?(session: McpSession, changed: () => void): () => void;
  /**
   * The address that stands for all spellings of this one, by which it is subscribed to. Undefined: not of this family.
   * Throws `ProtocolError` for what is no address.
   */
  canonical?(uri: string): string | undefined;
  /** Throws `ProtocolError` (-32002) for what is of this family and is not there. */
  read(uri: string, call: McpCall): Promise<readonly ResourceContents[] | undefined>;
  /** Is reading this address an action, and no look? Default: none is. */
  acts?(uri: string): boolean;
  /**
   * Subscribes: `changed` is called each time reading would answer something else, debounced; where it answers a promise,
   * nothing more is told until that settles. Ends with the session. Undefined: not an address of this family, or one that
   * nobody can subscribe to.
   */
  watch?(
    uri: string,
    call: McpCall,
    changed: () => void | Promise<void>,
  ): Promise<Subscription | undefined>;
  /** Values for a variable of a template, given those that are filled in already. */
  complete?(
    uriTemplate: string,
    variable: string,
    value: string,
    filled: { readonly [name: string]: string },
    call: McpCall,
  ): Promise<readonly string[]>;
}

/** A subscription that its owner ends. */
export interface Subscription {
  /** What it is about has gone: it tells nothing any more. */
  readonly over?: boolean;
  close(): Promise<void>;
}
