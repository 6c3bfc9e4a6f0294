/**
 * The words that the project does not use, and what it says instead: one meaning a word, in the terms of the field. Words
 * of everyday English are forbidden as names only; phrases also in texts, comments and Markdown.
 */

/** A use of a forbidden word that stays, and why. One that nothing uses any more is an error: remove it. */
export interface Exception {
  readonly files: RegExp;
  readonly why: string;
}

/** A word that no identifier and no file's name has as a part: "deed" forbids `deed`, `lastDeed` and `deed-list.ts`. */
export interface NameRule {
  /** Parts in lower case: `taken back` forbids `takenBack`. */
  readonly words: readonly string[];
  readonly say: string;
  /** Default: everywhere. */
  readonly only?: RegExp;
  readonly except?: readonly Exception[];
}

const JOURNAL = "a field of the journal on disk";
const TYPED_RECORDS = "until the journal's records are typed";
const QUIET = "it waits until a desktop or an application is quiet";

export const NAMES: readonly NameRule[] = [
  { words: ["deed", "deeds"], say: "action" },
  {
    words: ["told"],
    say: "reported, returned, emitted",
    except: [
      { files: /^src\/report\/tests\/blob\.ts$/, why: "a field of blob files on disk" },
      { files: /^tests\/fixtures\/truth\/told\.py$/, why: "a file of a fixture" },
    ],
  },
  { words: ["hands"], say: "actions, driver" },
  {
    words: ["way back", "ways back"],
    say: "rollback, undo",
    except: [{ files: /^src\/engine\/evidence\/pack\.ts$/, why: "a field of the evidence on disk" }],
  },
  { words: ["taken back", "take back", "takes back", "taking back", "took back"], say: "rolled back, undo" },
  { words: ["put back", "puts back", "putting back"], say: "restore" },
  {
    words: ["ledger", "ledgers"],
    say: "undo log",
    except: [{ files: /^(src\/engine\/|tests\/journals_test)/, why: JOURNAL }],
  },
  { words: ["enrolment", "enrolments"], say: "before-image" },
  { words: ["witness", "witnesses"], say: "recording desktop, observer" },
  { words: ["misfortune", "misfortunes"], say: "fault injection" },
  { words: ["living"], say: "running" },
  { words: ["ear", "ears"], say: "listener" },
  { words: ["eye", "eyes"], say: "observer, vision backend" },
  { words: ["glance", "glances"], say: "read" },
  { words: ["rising"], say: "increasing" },
  { words: ["top", "tops"], say: "toplevel", only: /^src\/mcp\/resources\/subscriptions\// },
  { words: ["tops"], say: "toplevels" },
  {
    words: ["known"],
    say: "existing, declared, running: what is known of it",
    except: [{ files: /^src\/session\/reap\.ts$/, why: "a field of an error's details" }],
  },
  { words: ["ended"], say: "finished" },
  {
    words: ["past"],
    say: "journaled",
    except: [{ files: /^src\/engine\/(journal|recovery|secrets|interactive)\//, why: TYPED_RECORDS }],
  },
  { words: ["afterthought", "afterthoughts"], say: "late change" },
  {
    words: ["seal", "seals", "sealed", "sealing", "unseal", "unsealed"],
    say: "encrypt, encrypted, decrypt",
    except: [{
      files: /^(src\/engine\/|src\/report\/html\/journal-text\.ts|tests\/(truth_|journals_test))/,
      why: JOURNAL,
    }],
  },
  { words: ["gate"], say: "proxy: the gate dispatches operations", only: /^src\/mcp\/transport\// },
  { words: ["bench"], say: "fixture", only: /^(src|tests)\// },
  { words: ["face", "faces"], say: "interface, route" },
  { words: ["floor", "floors", "room", "rooms"], say: "layer, package", only: /^scripts\/boundaries/ },
  {
    words: ["intent", "intents"],
    say: "begin record",
    only: /^src\/engine\//,
    except: [{ files: /^src\/engine\//, why: TYPED_RECORDS }],
  },
  {
    words: ["picture", "pictures"],
    say: "tree snapshot, screenshot",
    only: /^src\/engine\//,
    except: [{
      files: /^src\/engine\/(evidence\/|secrets\/withheld|journal\/records\/)/,
      why: "screenshots, by the evidence's field on disk",
    }],
  },
  {
    words: ["settle", "settles", "settled", "settling"],
    say: "finish, complete, flush: settle is for a desktop that comes to rest",
    except: [
      { files: /^src\/engine\/(run|rollback|secrets|evidence|model|interactive)\//, why: QUIET },
      { files: /^src\/engine\/(journal|recovery)\//, why: TYPED_RECORDS },
      { files: /^src\/(mcp\/resources|policy\/judgement|operations\/match-tree)/, why: QUIET },
      { files: /^(scripts\/(attack|crash|histories|matrix)|tests|native)\//, why: QUIET },
    ],
  },
  {
    words: ["looks", "acts"],
    say: "READS, WRITES",
    only: /^src\/contract\/effect\.ts$/,
  },
];

/** Names of the platform or of what is published: they are as they are. */
export const FOREIGN: ReadonlySet<string> = new Set(["allSettled"]);

/** A phrase that no text, no comment and no page has. */
export interface PhraseRule {
  readonly phrase: RegExp;
  readonly say: string;
  readonly except?: readonly Exception[];
}

/** A word right behind the quote that begins a text is data: a field of the journal, a prefix on disk. */
export const PHRASES: readonly PhraseRule[] = [
  { phrase: /(?<!\bknows the )\bways? back\b/gi, say: "rollback, undo" },
  {
    phrase:
      /\b(?:take|takes|taken|taking|took) (?:(?:it|its steps|them|this|everything|itself|that(?: run)?|what \w+(?: \w+)?) )?back\b/gi,
    say: "rolled back, undo",
  },
  {
    phrase: /\b(?:put|puts|putting) (?:(?:it|them|that|this|everything) )?back\b/gi,
    say: "restored, restore",
  },
  { phrase: /(?<!^(?:["`]|\/\^))\bdeeds?\b/gi, say: "action" },
  { phrase: /\benrolments?\b/gi, say: "before-image" },
  { phrase: /\bmisfortunes?\b/gi, say: "fault injection" },
  {
    phrase: /(?<!^["`])\b(?:un)?seal(?:s|ed|ing)?\b/gi,
    say: "encrypt, decrypt",
    except: [{ files: /^tests\/journals_test/, why: JOURNAL }],
  },
  {
    phrase: /\b(?:told|tells?|telling) (?:(?:them|it|these|those|the two) )?apart\b/gi,
    say: "distinguish; inconclusive",
  },
  { phrase: /\b(?:our|the|a|own) hands?\b(?! (?:on|over|in|out|side))/gi, say: "action, driver" },
  { phrase: /\b(?:a|each|every|all|any|no|other|whatever|three|two) faces?\b/gi, say: "interface" },
  { phrase: /\bthe house\b|\bimport floors?\b|\bfloors of\b/gi, say: "layers, layout of the code" },
  {
    phrase:
      /\b(?:base|session|vision|engine|lower|upper|which|name the) rooms?\b|\brooms? (?:above|below)\b/gi,
    say: "package, layer",
  },
  { phrase: /\b(?:operations?|tools?|tokens?) that only looks?\b|\blooks or acts\b/gi, say: "read, write" },
];
