import { malformed, Reply } from "./reply.ts";

/** A ticket is complete: its reply can be taken. */
export interface Completion {
  readonly kind: "completion";
  readonly session: bigint;
  readonly ticket: bigint;
  readonly status: number;
  readonly size: number;
}

/** An AT-SPI event. */
export interface EventRecord {
  readonly kind: "event";
  readonly session: bigint;
  /** Microseconds of CLOCK_MONOTONIC. */
  readonly at: bigint;
  readonly bus: string;
  readonly path: string;
  /** For example "object:state-changed:focused". */
  readonly event: string;
  readonly detail1: number;
  readonly detail2: number;
  readonly text: string;
}

/** Events were dropped: whatever was remembered must be read again. */
export interface LostRecord {
  readonly kind: "lost";
  readonly session: bigint;
  readonly dropped: bigint;
}

/** A connection of the session is gone; what needs it fails from now on. */
export interface BrokenRecord {
  readonly kind: "broken";
  readonly session: bigint;
  readonly what: "accessibility" | "display";
}

/** Somebody else used the keyboard or the pointer. */
export interface InputRecord {
  readonly kind: "input";
  readonly session: bigint;
  /** Microseconds of CLOCK_MONOTONIC, of the last of it. */
  readonly at: bigint;
  /** Keys that went down; never which. */
  readonly keys: number;
  readonly buttons: number;
  /** Clicks of the wheel. */
  readonly wheel: number;
  /** How often the pointer was found elsewhere. */
  readonly motions: number;
}

/** One thing that somebody else did with keyboard or pointer; numbers as in `enum backstep_person`. */
export interface PersonRecord {
  readonly kind: "person";
  readonly session: bigint;
  /** Microseconds of CLOCK_MONOTONIC. */
  readonly at: bigint;
  readonly what: number;
  /** Button, notch or keysym; 0 of a key that types. */
  readonly detail: number;
  /** Of the pointer, screen pixels. */
  readonly x: number;
  readonly y: number;
  /** 1 Control, 2 Shift, 4 Alt, 8 Super. */
  readonly modifiers: number;
  /** Milliseconds of the display's clock. */
  readonly time: number;
  /** The pointer went on before its place was known. */
  readonly moved: boolean;
  /** How many such were dropped before this one. */
  readonly lost: number;
}

/** What a session's subscribers are told. */
export type Notice = EventRecord | LostRecord | BrokenRecord | InputRecord | PersonRecord;

/** Unpacks what `backstep_wait` wrote: whole records, of any session. Throws `internal` for anything else. */
export function readRecords(bytes: Uint8Array): (Completion | Notice)[] {
  const records: (Completion | Notice)[] = [];
  let at = 0;
  while (at < bytes.length) {
    const size = new Reply(bytes.subarray(at)).u32();
    if (size < 16 || size > bytes.length - at) throw malformed(`a record claims ${size} bytes`);
    const record = readRecord(new Reply(bytes.subarray(at + 4, at + size)));
    if (record) records.push(record);
    at += size;
  }
  return records;
}

function readRecord(r: Reply): Completion | Notice | undefined {
  const kind = r.u32();
  const session = r.u64();
  switch (kind) {
    case 1:
      return { kind: "completion", session, ticket: r.u64(), status: r.i32(), size: r.u32() };
    case 2:
      return {
        kind: "event",
        session,
        at: r.u64(),
        bus: r.str(),
        path: r.str(),
        event: r.str(),
        detail1: r.i32(),
        detail2: r.i32(),
        text: r.str(),
      };
    case 3:
      return { kind: "lost", session, dropped: r.u64() };
    case 4:
      return { kind: "broken", session, what: r.u32() === 1 ? "accessibility" : "display" };
    case 5:
      return {
        kind: "input",
        session,
        at: r.u64(),
        keys: r.u32(),
        buttons: r.u32(),
        wheel: r.u32(),
        motions: r.u32(),
      };
    case 6:
      return {
        kind: "person",
        session,
        at: r.u64(),
        what: r.u32(),
        detail: r.u32(),
        x: r.i32(),
        y: r.i32(),
        modifiers: r.u32(),
        time: r.u32(),
        moved: r.u32() !== 0,
        lost: r.u32(),
      };
    default:
      // The size field lets a newer core add kinds of records.
      return undefined;
  }
}
