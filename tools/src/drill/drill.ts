import type { PrismaClient } from '@duework/database';
import type { EngineClient } from './engine-client.js';
import type { Figures } from './look-into-tables.js';
import type { DrillMailServer } from './start-mail-server.js';
import type { DrillWorker } from './start-worker.js';

/** A drill as far as it has come. Times are in milliseconds. */
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
  /** The runs a person was asked about. */
  readonly asked: { readonly id: string; readonly hasArrived: boolean }[];
  readonly begunMs: number;
  /** What it does, for people. */
  phase: string;
  /** Of the worker that was stopped: `how` it ended, and how many runs it had not given back. */
  shutdown?: { readonly tookMs: number; readonly deadlineMs: number; readonly how: string; readonly left: number };
  /** Of the worker that was killed: until the last of its runs was somebody else's. */
  recovery?: { readonly tookMs: number; readonly runs: number };
  /** Why it did not come to its end. */
  problem?: string;
}

/** A drill that is over. */
export type DrillResult = Drill & Figures & { readonly tookMs: number };
