import type { SeededRandom } from '../../../kit/seeded-random.js';
import type { EventFacts, FaultDetails, FaultFacts } from '../observer/history-events.js';
import type { WorkerPlaces } from '../open-workers.js';
import type { DirectSession } from '../servers/open-direct.js';
import type { Proxy } from '../servers/start-proxy.js';
import type { TorturedPostgres } from '../servers/start-postgres.js';

/** A process's connection to the database, which a fault may break. */
export interface Cable {
  readonly name: string;
  readonly proxy: Proxy;
}

/** What a fault can act on. */
export interface Lab {
  readonly postgres: TorturedPostgres;
  readonly direct: DirectSession;
  readonly workers: WorkerPlaces;
  readonly cables: () => Cable[];
}

type FaultKind = 'fault.begun' | 'fault.did' | 'fault.failed' | 'fault.ended' | 'database.up';
/** Writes a line about this fault to the history. */
export type NoteFault = <K extends FaultKind>(kind: K, facts: Omit<EventFacts[K], keyof FaultFacts>) => void;
export type { FaultDetails };

/** Something that is done to the product, and undone. */
export interface Fault {
  readonly name: string;
  readonly title: string;
  /** It is done alone, because another fault would delay it or hide it. */
  readonly isSolitary?: boolean;
  /**
   * The database, or the way to it, fails for whole processes: workers wait longer for a while before they call one
   * dead.
   */
  readonly isLoud?: boolean;
  /** Its effect can be seen only while no worker waits longer; see CAREFUL_MS. */
  readonly needsCalm?: boolean;
  /** Why it cannot be done on this machine; null: it can. */
  missing?(lab: Lab): string | null;
  inject(lab: Lab & { readonly random: SeededRandom; readonly note: NoteFault }): Promise<void>;
}
