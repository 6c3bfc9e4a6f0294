/** What a client may do. */
export const READ_SCOPE = "backstep:read";
export const ACT_SCOPE = "backstep:act";
export const SCOPES = [READ_SCOPE, ACT_SCOPE] as const;
export type Scope = (typeof SCOPES)[number];

/** Who a request comes from. */
export interface Principal {
  /** The same for every request of one party; another's sessions are not found. */
  readonly subject: string;
  /** The OAuth client, where there is one. */
  readonly client: string;
  /** The identifier that its authorization server knows it by, where the token says it. */
  readonly clientId?: string;
  /** Who may act may look. */
  readonly scopes: ReadonlySet<Scope>;
  /** When the token ends, in milliseconds since 1970. */
  readonly expires?: number;
}

/** Everybody, where no token is asked for: one party. */
export const ANYBODY: Principal = { subject: "", client: "", scopes: new Set(SCOPES) };

/** Why a request is not let in. */
export interface Denial {
  /** 503: whether the token holds cannot be told now. */
  readonly status: 401 | 403 | 503;
  readonly message: string;
  /** As RFC 6750 names it; absent where no token came. */
  readonly error?: "invalid_token" | "insufficient_scope";
  /** The scopes that it takes. */
  readonly scope: string;
}

/** Judges tokens. */
export interface Authority {
  /** The principal of a bearer token; undefined: none came. */
  judge(token: string | undefined): Promise<Principal | Denial>;
  /** `WWW-Authenticate` of a denial. */
  challenge(denial: Denial): string;
  /**
   * Where OAuth is used: the page on which a person lets this principal have these scopes; undefined where there is
   * none, or it cannot be learnt now. It holds nothing that is secret.
   */
  consent?(principal: Principal, scope: string): Promise<string | undefined>;
  /** Where OAuth is used: the protected resource metadata of RFC 9728. */
  readonly metadata?: { readonly [key: string]: string | readonly string[] };
}

/** The bearer token of a request. Only the header counts: one in an address would end up in logs. */
export function bearerOf(request: Request): string | undefined {
  const header = request.headers.get("authorization");
  return header === null ? undefined : /^bearer +([\w~+/.=-]+)$/i.exec(header)?.[1] ?? "";
}

/** Why a principal may not do what needs this scope; undefined: it may. */
export function scopeFault(principal: Principal, needed: Scope): Denial | undefined {
  if (principal.scopes.has(needed) || principal.scopes.has(ACT_SCOPE)) return undefined;
  return {
    status: 403,
    error: "insufficient_scope",
    message: `This needs the scope ${needed}`,
    scope: needed === ACT_SCOPE ? SCOPES.join(" ") : needed,
  };
}

/** A challenge's parameters, quoted. */
export function challengeOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replaceAll(/["\\]/g, "")}"`]
  );
  return `Bearer ${given.join(", ")}`;
}
