import type { PrismaClient } from '@duework/database';
import type { EngineClient } from './engine-client.js';
import type { Figures } from './look-into-tables.js';
import type { DrillMailServer } from './start-mail-server.js';
import type { DrillWorker } from './start-worker.js';

/** The progress of a drill. Times are in milliseconds. */
export interface Drill {
  readonly databaseUrl: string;
  readonly db: PrismaClient;
  readonly mail: DrillMailServer;
  readonly engineClient: EngineClient;
  readonly receipts: number;
  /** How many recipients the mail server refuses once. */
  readonly refused: number;
  readonly leaseMs: number;
  readonly workers: DrillWorker[];
  /** What a worker printed by process.emitWarning: the first line of each. */
  readonly warnings: string[];
  /** The runs about which a person was asked. */
  readonly asked: { readonly id: string; readonly hasArrived: boolean }[];
  readonly begunMs: number;
  /** The current step, for people. */
  phase: string;
  /** About the stopped worker: `how` it ended, and how many runs it had not given back. */
  shutdown?: { readonly tookMs: number; readonly deadlineMs: number; readonly how: string; readonly left: number };
  /** About the killed worker: the time until its last run was another worker's. */
  recovery?: { readonly tookMs: number; readonly runs: number };
  /** Why the drill did not come to its end. */
  problem?: string;
}

/** A drill that is over. */
export type DrillResult = Drill & Figures & { readonly tookMs: number };
