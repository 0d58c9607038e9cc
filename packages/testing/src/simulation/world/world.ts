import type { JobQueue } from '@duework/queue-core';
import type { MemoryTables } from '../../memory/tables/memory-tables.js';
import type { EffectLedger } from '../observe/effect-ledger.js';
import type { Faults } from './faults.js';
import type { Observer } from '../observe/observer.js';
import type { Plan } from '../plan/plan.js';
import type { Sessions } from './sessions.js';
import type { VirtualTime } from './virtual-time.js';

/** What everything in one simulation shares. */
export interface World {
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly faults: Faults;
  readonly tables: MemoryTables;
  readonly queue: JobQueue;
  readonly observer: Observer;
  readonly ledger: EffectLedger;
  readonly sessions: Sessions;
  readonly trace: (line: string) => void;
}
