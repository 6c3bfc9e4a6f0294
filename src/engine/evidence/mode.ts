/** When evidence is kept: always, when a run does not end as it should, or never. */
export type EvidenceMode = "on" | "on-failure" | "off";

/** Each of them. */
export const EVIDENCE_MODES = ["on", "on-failure", "off"] as const satisfies readonly EvidenceMode[];
