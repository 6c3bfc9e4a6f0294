import type { RunEvent } from "../../src/contract/events.ts";
import type { Played } from "./play.ts";

/** Characters of an event that are shown. */
const SHOWN = 400;

/** All that happened in a play, in its order: what the engine told and called, and what the application says. */
export function timeline({ reported, calls, account }: Played): string[] {
  const base = reported[0]?.at ?? 0;
  const all = [
    ...reported.map(({ event, at }) => ({ at, line: `engine: ${eventText(event)}` })),
    ...calls.map(({ call, about, from, to }) => ({
      at: from,
      line: `   call ${call} ${about} (${Math.round(to - from)} ms)`,
    })),
    ...account.changes.map(({ key, before, after, by, at }) => ({
      at,
      line: `      application: ${key} ${before} -> ${after} (${by})`,
    })),
    ...account.fired.map(({ event, of, at }) => ({ at, line: `      application: ${event} ${of}` })),
    ...(account.died === undefined ? [] : [{ at: account.died, line: "      application: died" }]),
  ];
  return all.sort((a, b) => a.at - b.at).map(({ at, line }) =>
    `${String(Math.round(at - base)).padStart(6)} ${line}`
  );
}

function eventText(event: RunEvent): string {
  switch (event.event) {
    case "step-finished":
      return JSON.stringify(event.step).slice(0, SHOWN);
    case "rollback-finished":
      return `rolled back "${event.path}": ${JSON.stringify(event.rollback).slice(0, SHOWN)}`;
    case "run-finished":
      return `run ${event.result.status} ${event.result.rollback.verdict}, exit ${event.result.exit}`;
    default:
      return JSON.stringify(event).slice(0, SHOWN);
  }
}
