import { FIRST } from "./001-first.ts";
import { ITEMS } from "./002-items.ts";
import type { Migration } from "./migration.ts";

/** All of them, in order. What stands here was applied somewhere: it is never changed, only added to. */
export const MIGRATIONS: readonly Migration[] = [FIRST, ITEMS];

/** The number that a database must have. */
export const CURRENT = MIGRATIONS.length;
