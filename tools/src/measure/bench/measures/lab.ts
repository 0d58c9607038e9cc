import type { Place } from '../servers/make-place.js';
import type { BenchPostgres } from '../servers/start-bench-postgres.js';

/** The values that all turns of a run share. */
export interface Lab {
  readonly postgres: BenchPostgres;
  /** Waits until the loaded rows are written and analysed, so that neither is measured. */
  settle(place: Place): Promise<void>;
}
