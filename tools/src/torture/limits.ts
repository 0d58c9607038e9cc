/** The promise: after the faults stop, the queue is empty within this. */
export const DRAIN_LIMIT_MS = 60_000;
/** The runs of a worker that was killed start again within this. */
export const KILLED_MS = 5_000;
/** Those of a silent one, after its lease. */
export const SILENT_MS = 5_000;
/** After a restart of the database, work goes on as before within this. */
export const RECOVERED_MS = 10_000;
/** So long after a look that failed, whoever looks for the dead is more careful; see "When a worker dies" in docs/guarantees.md. */
export const CAREFUL_MS = 30_000;
