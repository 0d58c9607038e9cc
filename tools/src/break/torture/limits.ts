/** After the faults end, the queue is empty within this time. */
export const DRAIN_LIMIT_MS = 60_000;
/** The runs of a killed worker start again within this time. */
export const KILLED_MS = 5_000;
/** The runs of a silent worker start again within this time after its lease. */
export const SILENT_MS = 5_000;
/** After a restart of the database, jobs end at the rate of before within this time. */
export const RECOVERED_MS = 10_000;
/**
 * For so long after a failed check, a worker waits longer before it calls another one dead; see "When a worker dies" in
 * docs/understand/guarantees.md.
 */
export const CAREFUL_MS = 30_000;
/** A slot that gets free is used within this time, in 99 of 100 cases. */
export const IDLE_MS = 50;
/** What lies idle for so long beside a run that waits is lost: far longer than anything that mends it takes. */
export const LOST_MS = 10_000;
