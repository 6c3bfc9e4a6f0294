/** What a client of the HTTP server may use of it. */
export interface HttpLimits {
  /** Sessions at once; a further one gets 503. */
  readonly sessions: number;
  /** A session that nobody has used for so long ends, in milliseconds. One with an open stream or call is in use. */
  readonly idleMs: number;
  /** Bytes of a request's body; more gets 413. */
  readonly bodyBytes: number;
  /** Milliseconds in which a body must have come; later gets 408. */
  readonly bodyMs: number;
  /** Bytes of a request's line and headers together; more gets 431. */
  readonly headerBytes: number;
  /** Header lines of a request; more gets 431. */
  readonly headers: number;
  /** Milliseconds in which the headers of a connection's first request must have come; later gets 408. */
  readonly headMs: number;
  /** Connections at once; a further one gets 503, unless one that asks nothing can make room. */
  readonly connections: number;
  /** Connections whose request has begun to come and is not whole; beyond it the slowest gets 408. */
  readonly unfinished: number;
  /** A connection on which nothing has moved for so long is closed, in milliseconds. */
  readonly silentMs: number;
  /** Events that a session keeps for clients that come back with `Last-Event-ID`. */
  readonly events: number;
  /** Bytes of those events. */
  readonly eventBytes: number;
  /** Bytes of the events of all sessions together. */
  readonly allEventBytes: number;
  /** Bytes that wait on one stream for a client that does not read; beyond it the stream is cut. */
  readonly unreadBytes: number;
  /** Milliseconds between signs of life on a silent stream. */
  readonly keepAliveMs: number;
  /** Milliseconds that calls in flight have when the server stops; then they are cancelled. */
  readonly graceMs: number;
}

/** What holds where nothing else is said. */
export const HTTP_LIMITS: HttpLimits = {
  sessions: 100,
  idleMs: 30 * 60_000,
  bodyBytes: 4 * 1024 * 1024,
  bodyMs: 30_000,
  headerBytes: 16 * 1024,
  headers: 64,
  headMs: 10_000,
  connections: 256,
  unfinished: 64,
  silentMs: 15 * 60_000,
  events: 1_000,
  eventBytes: 8 * 1024 * 1024,
  allEventBytes: 64 * 1024 * 1024,
  unreadBytes: 32 * 1024 * 1024,
  keepAliveMs: 15_000,
  graceMs: 5_000,
};
