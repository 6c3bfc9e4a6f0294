/** When evidence is kept: always, when a run does not end as it should, or never. */
export const EVIDENCE_MODES = ["on", "on-failure", "off"] as const;

/** See `EVIDENCE_MODES`. */
export type EvidenceMode = (typeof EVIDENCE_MODES)[number];
