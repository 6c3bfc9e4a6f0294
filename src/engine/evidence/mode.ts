/** When evidence is kept: always, when a run does not end as it should, or never. */
export const EVIDENCE_MODES: readonly EvidenceMode[] = ["on", "on-failure", "off"];

/** See `EVIDENCE_MODES`. */
export type EvidenceMode = "on" | "on-failure" | "off";
