/** What is used of `pg`, which brings no types. */
export interface QueryResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
}

export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  /** Undefined: the name is right. */
  readonly checkServerIdentity?: () => undefined;
}

export interface ClientConfig {
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
  readonly database: string;
  readonly ssl: false | TlsOptions;
  readonly options?: string;
  readonly application_name?: string;
  readonly connectionTimeoutMillis?: number;
  readonly statement_timeout?: number;
  readonly query_timeout?: number;
  readonly lock_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
  readonly keepAlive?: boolean;
  readonly keepAliveInitialDelayMillis?: number;
}

export interface PoolConfig extends ClientConfig {
  readonly max: number;
  readonly idleTimeoutMillis?: number;
  readonly allowExitOnIdle?: boolean;
}

export interface Notification {
  readonly channel: string;
  readonly payload?: string;
}

declare class Client {
  constructor(config: ClientConfig);
  connect(): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>;
  on(event: "error", listener: (error: Error) => void): this;
  on(event: "end", listener: () => void): this;
  on(event: "notification", listener: (notification: Notification) => void): this;
  removeListener(event: "error", listener: (error: Error) => void): this;
  end(): Promise<void>;
}

declare class PoolClient extends Client {
  release(error?: Error | boolean): void;
}

declare class Pool {
  constructor(config: PoolConfig);
  connect(): Promise<PoolClient>;
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>;
  on(event: "error", listener: (error: Error) => void): this;
  end(): Promise<void>;
}

declare const pg: {
  readonly Client: typeof Client;
  readonly Pool: typeof Pool;
};
export default pg;
export type { Client, Pool, PoolClient };
