import type { Json } from "../../base/error.ts";

/** What a journal line says. Every kind has `kind`; the rest is its own. */
export interface JournalEntry {
  readonly kind:
    | "run" // the first line: what runs, on which desktop
    | "begin" // a transaction begins, or is tried again
    | "intent" // before an action: what it is, and its undo
    | "outcome" // after it
    | "step" // a step is over: what became of it, and what it answered
    | "interference" // somebody else used keyboard or pointer: how much, and what the run does about it
    | "savepoint" // a place that the flow can go back to
    | "settled" // a call of a live run was answered: what is before it stays, unless its run is undone
    | "commit" // a transaction's steps now belong to what is around it
    | "rollback" // the rollback begins
    | "undoing" // an opposite action is about to be done
    | "undone" // one action or participant is rolled back, or is not, and why
    | "rolled-back" // the rollback is over
    | "changed-afterwards" // what had been read as it should be no longer reads so
    | "rebuild" // the private desktop is about to be replaced and replayed
    | "rebuilt" // it was replaced; what follows is on the new one
    | "chose" // which way a condition went
    | "recover" // another process takes over from one that was killed
    | "undo" // a run that passed is rolled back after all
    | "redo" // what that undid is put in place again
    | "evidence" // what was seen of the run, as an artefact
    | "redone" // one participant is as the action had left it, or is not
    | "withheld" // elements that a secret went into, or that changed at once: what they show is never told
    | "end"; // the last line
  readonly [field: string]: Json;
}
