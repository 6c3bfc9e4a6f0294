/** What one peer took to read the same tree; undefined times: it is not installed. */
export interface PeerResult {
  readonly ms?: number;
  readonly nodes?: number;
  /** How many times it was run: the median of three, or one when one takes over two seconds. */
  readonly samples: number;
  /** What to install. */
  readonly missing?: string;
}

/** One line of the table, one object of the JSON. */
export interface Row {
  /** The application, and what was measured unless it is a plain snapshot: "gtk4-widget-factory:first". */
  readonly app: string;
  readonly nodes: number;
  /** Median milliseconds. */
  readonly ms: number;
  readonly us_per_node: number;
  readonly calls: number;
  readonly strategy: string;
  readonly ratio_pyatspi: number | null;
  readonly ratio_libatspi: number | null;
  readonly samples: number;
  readonly pyatspi?: PeerResult;
  readonly libatspi?: PeerResult;
}

/** The middle one of some numbers; NaN of none. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (lower + upper) / 2;
}

/** Two digits behind the point are all that a shared machine is good for. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A row with the figures that follow from the others. */
export function row(
  measured: Pick<Row, "app" | "nodes" | "ms" | "calls" | "strategy" | "samples">,
  peers: { readonly pyatspi?: PeerResult; readonly libatspi?: PeerResult } = {},
): Row {
  const ratio = (peer: PeerResult | undefined) =>
    peer?.ms === undefined ? null : round(peer.ms / measured.ms);
  return {
    ...measured,
    ms: round(measured.ms),
    us_per_node: round((measured.ms * 1000) / measured.nodes),
    ratio_pyatspi: ratio(peers.pyatspi),
    ratio_libatspi: ratio(peers.libatspi),
    ...peers,
  };
}

/** The rows for people. */
export function table(rows: readonly Row[]): string {
  const peer = (result: PeerResult | undefined) =>
    result === undefined
      ? ""
      : result.missing !== undefined
      ? `apt-get install ${result.missing}`
      : `${result.ms?.toFixed(0)} ms${result.samples === 1 ? " (samples: 1)" : ""}`;
  const lines = rows.map((r) => [
    r.app,
    String(r.nodes),
    r.ms.toFixed(2),
    r.us_per_node.toFixed(1),
    String(r.calls),
    r.strategy,
    peer(r.pyatspi),
    r.ratio_pyatspi === null ? "" : `${r.ratio_pyatspi.toFixed(1)}x`,
    peer(r.libatspi),
    r.ratio_libatspi === null ? "" : `${r.ratio_libatspi.toFixed(1)}x`,
  ]);
  const head = [
    "app",
    "nodes",
    "ms",
    "us/node",
    "calls",
    "strategy",
    "pyatspi",
    "ratio",
    "libatspi",
    "ratio",
  ];
  const all = [head, ...lines];
  const widths = head.map((_, k) => Math.max(...all.map((line) => (line[k] ?? "").length)));
  return all.map((line) => line.map((cell, k) => cell.padEnd(widths[k] ?? 0)).join("  ").trimEnd()).join(
    "\n",
  );
}
