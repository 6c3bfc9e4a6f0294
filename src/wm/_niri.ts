import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Json } from "../base/error.ts";
import { asList, asMap } from "../base/json.ts";
import { actOn } from "./_niri-acts.ts";
import { StandIn } from "./_server.ts";

/** Events that niri keeps for a reader before it drops it (`EVENT_STREAM_BUFFER_SIZE`). */
export const EVENT_BUFFER = 64;

type Fields = { readonly [key: string]: Json };

/** What niri holds, in its own types. */
export interface NiriState {
  outputs: { [name: string]: Json };
  workspaces: Fields[];
  windows: Fields[];
  layers: Fields[];
  keyboard_layouts: Fields;
  overview: Fields;
}

const LAYOUT = {
  pos_in_scrolling_layout: [1, 1],
  tile_size: [952.0, 1016.5],
  window_size: [952, 1016],
  tile_pos_in_workspace_view: null,
  window_offset_in_tile: [0.0, 0.5],
};

export function niriWindow(id: number, more: Fields = {}): Fields {
  return {
    id,
    title: `window ${id}`,
    app_id: "org.example.App",
    pid: 4711,
    workspace_id: 12,
    is_focused: false,
    is_floating: false,
    is_urgent: false,
    layout: LAYOUT,
    focus_timestamp: { secs: 4312, nanos: 912_000_000 },
    ...more,
  };
}

export function niriWorkspace(id: number, more: Fields = {}): Fields {
  return {
    id,
    idx: 1,
    name: null,
    output: "DP-1",
    is_urgent: false,
    is_active: false,
    is_focused: false,
    active_window_id: null,
    ...more,
  };
}

/** Two monitors, one of them off; two workspaces, two windows, a panel and a wallpaper. Nothing is in order. */
export function niriState(): NiriState {
  const mode = (width: number, height: number, refresh_rate: number, is_preferred: boolean) => (
    { width, height, refresh_rate, is_preferred }
  );
  const layer = (output: string, layer: string, namespace: string, keyboard_interactivity: string) => (
    { namespace, output, layer, keyboard_interactivity }
  );
  return {
    outputs: {
      "eDP-1": {
        name: "eDP-1",
        make: "BOE",
        model: "0x0BCA",
        serial: null,
        physical_size: null,
        modes: [mode(2256, 1504, 59_999, true)],
        current_mode: null,
        is_custom_mode: false,
        vrr_supported: false,
        vrr_enabled: false,
        logical: null,
        max_bpc: null,
      },
      "DP-1": {
        name: "DP-1",
        make: "Dell Inc.",
        model: "U2720Q",
        serial: "ABC123",
        physical_size: [597, 336],
        modes: [mode(3840, 2160, 59_997, true), mode(1920, 1080, 60_000, false)],
        current_mode: 0,
        is_custom_mode: false,
        vrr_supported: true,
        vrr_enabled: false,
        logical: { x: -1536, y: 0, width: 1536, height: 2731, scale: 1.40625, transform: "Flipped90" },
        max_bpc: 10,
      },
    },
    workspaces: [
      niriWorkspace(12, { is_active: true, is_focused: true, active_window_id: 7 }),
      niriWorkspace(3, { idx: 2, name: "mail" }),
    ],
    windows: [
      niriWindow(40, { workspace_id: 3, title: null, app_id: null, pid: null, is_floating: true }),
      niriWindow(7, { is_focused: true }),
    ],
    layers: [
      layer("DP-1", "Top", "waybar", "OnDemand"),
      layer("DP-1", "Background", "wallpaper", "None"),
      layer("DP-1", "Top", "waybar", "None"),
    ],
    keyboard_layouts: { names: ["English (US)", "German"], current_idx: 1 },
    overview: { is_open: false },
  };
}

/** One reader of events: niri writes them one by one, and drops a reader that is 64 behind. */
class EventStream {
  readonly #socket: Socket;
  readonly #queue: Json[] = [];
  #writing = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** False: it was cut off. */
  send(event: Json): boolean {
    if (this.#queue.length >= EVENT_BUFFER) {
      this.#queue.length = 0;
      this.#socket.end();
      return false;
    }
    this.#queue.push(event);
    if (!this.#writing) this.#write();
    return true;
  }

  #write(): void {
    const event = this.#queue.shift();
    this.#writing = event !== undefined;
    if (event !== undefined) this.#socket.write(`${JSON.stringify(event)}\n`, () => this.#write());
  }
}

/** niri's socket, typed from its `niri-ipc`: requests in order, and a stream of events that takes no more requests. */
export class NiriStandIn extends StandIn {
  state: NiriState;
  /** Requests that it does not know, as an older one. */
  readonly unknown: ReadonlySet<string>;
  readonly actions: Json[] = [];
  readonly #streams = new Set<EventStream>();
  /** It takes every action and does none. */
  deaf = false;
  /** It refuses every action. */
  refuses = false;
  /** Readers that it cut off. */
  cut = 0;

  constructor(path: string, state: NiriState, unknown: readonly string[] = []) {
    super(path, (socket) => this.#talkTo(socket));
    this.state = state;
    this.unknown = new Set(unknown);
  }

  /** Readers of events at present. */
  get readers(): number {
    return this.#streams.size;
  }

  send(event: Json): void {
    for (const stream of [...this.#streams]) {
      if (stream.send(event)) continue;
      this.cut++;
      this.#streams.delete(stream);
    }
  }

  #talkTo(socket: Socket): void {
    let unread = Buffer.alloc(0), streaming = false;
    socket.on("data", (chunk: Uint8Array) => {
      unread = Buffer.concat([unread, chunk]);
      for (let end = unread.indexOf(10); end >= 0 && !streaming; end = unread.indexOf(10)) {
        const request: Json = JSON.parse(unread.toString("utf8", 0, end));
        unread = unread.subarray(end + 1);
        const reply = this.#reply(request);
        socket.write(`${JSON.stringify(reply)}\n`);
        if (request === "EventStream" && "Ok" in reply) streaming = true, this.#stream(socket);
      }
    });
  }

  #stream(socket: Socket): void {
    const stream = new EventStream(socket);
    const { workspaces, windows, keyboard_layouts, overview } = this.state;
    const all: Json[] = [
      { WorkspacesChanged: { workspaces } },
      { WindowsChanged: { windows } },
      { KeyboardLayoutsChanged: { keyboard_layouts } },
      { OverviewOpenedOrClosed: overview },
      { ConfigLoaded: { failed: false } },
      { CastsChanged: { casts: [] } },
    ];
    for (const event of all) stream.send(event);
    this.#streams.add(stream);
    socket.on("close", () => this.#streams.delete(stream));
  }

  #reply(request: Json): { Ok: Json } | { Err: string } {
    const { outputs, workspaces, windows, layers, keyboard_layouts, overview } = this.state;
    const answers: { [request: string]: Json } = {
      Version: { Version: "26.04 (v26.04)" },
      Outputs: { Outputs: outputs },
      Workspaces: { Workspaces: workspaces },
      Windows: { Windows: windows },
      Layers: { Layers: layers },
      KeyboardLayouts: { KeyboardLayouts: keyboard_layouts },
      OverviewState: { OverviewState: overview },
      EventStream: "Handled",
    };
    if (request === "ReturnError") return { Err: "example compositor error" };
    if (typeof request === "string") {
      const answer = this.unknown.has(request) ? undefined : answers[request];
      return answer === undefined ? { Err: "error parsing request" } : { Ok: answer };
    }
    return this.#act(asMap(request)["Action"] ?? null);
  }

  /** As serde does: an unknown action or a missing field cannot be parsed, an unknown field is ignored. */
  #act(action: Json): { Ok: Json } | { Err: string } {
    const [[name, value] = ["", null]] = Object.entries(asMap(action));
    const fields = asMap(value);
    if (this.refuses) return { Err: "not now" };
    const events = this.deaf ? [] : actOn(this.state, name, fields);
    if (events !== undefined) {
      this.actions.push(action);
      for (const event of events) this.send(event);
      return { Ok: "Handled" };
    }
    if (name === "Screenshot" && typeof fields["show_pointer"] === "boolean") {
      const { path } = fields;
      if (typeof path === "string" && !path.startsWith("/")) return { Err: `path must be absolute: ${path}` };
      return { Ok: "Handled" };
    }
    return { Err: "error parsing request" };
  }

  /** A window opens, or changes: the state and its event. */
  open(window: Fields): void {
    this.state.windows = [...this.state.windows.filter((one) => one["id"] !== window["id"]), window];
    this.send({ WindowOpenedOrChanged: { window } });
  }

  /** A window closes. */
  close(id: number): void {
    this.state.windows = this.state.windows.filter((one) => one["id"] !== id);
    this.send({ WindowClosed: { id } });
  }

  /** The workspaces become these. */
  workspaces(workspaces: readonly Json[]): void {
    this.state.workspaces = asList(workspaces).map(asMap);
    this.send({ WorkspacesChanged: { workspaces } });
  }
}
