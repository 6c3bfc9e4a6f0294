import { z } from "zod";
import type { Json } from "../../../base/error.ts";
import type { Condition, Undo } from "../../model/step.ts";
import { COUNT, EFFECT, ERROR, JSON_MAP, JSON_VALUE, record } from "./schema.ts";

/** Before an action: what it is, and how to undo it. */
export const ActionBegin = record("action-begin", {
  path: z.string(),
  operation: z.string(),
  effect: EFFECT,
  /** The transaction that it belongs to, "" the file; null: it is never rolled back. */
  undoLog: z.string().nullable(),
  /** An irreversible one that a rollback passes. */
  passable: z.literal(true).exactOptional(),
  encrypted: z.string(),
});

/**
 * The element of an action went before anything was sent, and was looked for again: what is encrypted is of the one that
 * was found, and stands for what its begin said.
 */
export const ActionRenewed = record("action-renewed", {
  path: z.string(),
  /** Number of the record of its begin. */
  begin: COUNT,
  effect: EFFECT,
  passable: z.literal(true).exactOptional(),
  encrypted: z.string(),
});

/** The protected properties of a participant at one moment. */
export type WrittenImage = z.infer<typeof IMAGE>;
const IMAGE = z.strictObject({
  properties: JSON_MAP,
  incidental: JSON_MAP.exactOptional(),
  unrestorable: z.record(z.string(), z.string()).exactOptional(),
  secure: z.literal(true).exactOptional(),
});

/** What something is drawn in, and goes away with. Its address holds as long as its application runs. */
export type WrittenSurface = z.infer<typeof SURFACE>;
const SURFACE = z.strictObject({
  application: z.string(),
  pid: COUNT,
  bus: z.string(),
  path: z.string(),
  word: z.enum(["window", "dialog", "menu"]),
  role: COUNT,
  name: z.string(),
  id: z.string(),
});

// Parts of the step model, which the same program wrote: only their outline is checked.
const UNDO = z.custom<Undo>((value) => isObject(value) && Array.isArray(value["steps"]));
const CONDITION = z.custom<Condition>((value) => isObject(value) && typeof value["kind"] === "string");

/** What is encrypted in a begin, and where it is renewed. */
export const ActionBeginContent = z.strictObject({
  undo: UNDO.exactOptional(),
  doneWhen: CONDITION.exactOptional(),
  /** What the placeholders in these stand for. */
  scope: z.strictObject({ vars: JSON_MAP, steps: JSON_MAP, numbered: JSON_MAP }).exactOptional(),
  /** A secret stands in these: they were not written. */
  withheld: z.literal(true).exactOptional(),
  /** Null when a password goes in. */
  input: JSON_VALUE,
  subject: z.string().nullable(),
  name: z.string(),
  app: z.string().nullable(),
  /** A digest of the windows that stood before it. */
  stood: z.string().nullable(),
  beforeImages: z.array(
    z.strictObject({
      /** Its own words, enough to find it again. */
      participant: JSON_VALUE,
      /** Equal for the same thing. */
      key: z.string(),
      image: IMAGE,
      surface: SURFACE.exactOptional(),
      /** Numbers of the begins of earlier actions before which it was not there. */
      absent: z.array(COUNT).readonly().exactOptional(),
    }),
  ).readonly(),
  /** The same as people may see it, where applications made something of a secret. */
  shown: JSON_VALUE.exactOptional(),
});
export type ActionBeginContent = z.infer<typeof ActionBeginContent>;

/** The same as it is written: the author's steps and conditions as JSON. */
export type WrittenActionBegin = Omit<ActionBeginContent, "undo" | "doneWhen" | "shown"> & {
  readonly undo?: Json;
  readonly doneWhen?: Json;
};

/** After an action, and again when `done_when` or a probe said what came of it. */
export const ActionEnd = record("action-end", {
  path: z.string(),
  /** Number of the record of its begin. */
  begin: COUNT,
  operation: z.string(),
  outcome: z.enum(["done", "failed", "unknown"]),
  error: ERROR.exactOptional(),
  /** What could not be read after it. */
  unread: z.array(z.string()).readonly().exactOptional(),
  /** It was as wanted, and nothing was sent: the before-images, by their place, for which what was read after it stands. */
  unsent: z.array(COUNT).readonly().exactOptional(),
  encrypted: z.string().exactOptional(),
});

/** What is encrypted in it. */
export const ActionEndContent = z.strictObject({
  /** One for each image before it, in the same order; null: it could not be read. */
  afterImages: z.array(IMAGE.nullable()).readonly(),
  inverse: z.strictObject({ operation: z.string(), input: JSON_VALUE }).nullable(),
  /** A digest of the windows that it left. */
  left: z.string().nullable(),
  /** The window of them that had the keyboard, by its id. */
  front: COUNT.exactOptional(),
  /** Of what cannot be restored exactly. */
  output: JSON_VALUE,
  shown: JSON_VALUE.exactOptional(),
});
export type ActionEndContent = z.infer<typeof ActionEndContent>;

/** What is protected was seen to have gone by this action, with the window, dialog or menu that it was drawn in. */
export const Gone = record("gone", {
  path: z.string(),
  /** Number of the record of its begin. */
  begin: COUNT,
  /** Of each before-image the number of the record that holds it, and which of them it is there, from 0. */
  images: z.array(z.tuple([COUNT, COUNT]).readonly()).readonly(),
});

/** A step is over; encrypted in it: its output. */
export const Step = record("step", {
  path: z.string(),
  status: z.enum(["passed", "failed", "skipped"]),
  encrypted: z.string().exactOptional(),
});

/** Elements that received a secret, or that changed at once: bus and path of each, never what they show. */
export const WithheldElements = record("withheld", {
  path: z.string(),
  elements: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
});

/** Somebody else used keyboard or pointer: how often, and what the run does about it. */
export const Interference = record("interference", {
  path: z.string(),
  when: z.enum(["before", "during"]),
  policy: z.enum(["pause", "abort", "ignore"]),
  keys: COUNT,
  buttons: COUNT,
  wheel: COUNT,
  motions: COUNT,
});

function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
