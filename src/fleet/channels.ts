/** Told a run's id: it was cancelled. */
export const RUN_CHANGED = "backstep_run";
/** Told nothing: there are new jobs. */
export const JOBS_ADDED = "backstep_jobs";
/** Told a worker's id: it is to take no more. */
export const WORKER_CHANGED = "backstep_worker";
