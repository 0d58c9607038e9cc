import type { Place } from '../servers/make-place.js';
import type { BenchPostgres } from '../servers/start-bench-postgres.js';

/** What all turns of a run share. */
export interface Lab {
  readonly postgres: BenchPostgres;
  /** What was just loaded is written and known to the planner, so that it is not measured. */
  settle(place: Place): Promise<void>;
}
