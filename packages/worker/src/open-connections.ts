import { connectPg, describeDatabaseError, type RawQueryable } from '@duework/database';
import type { Transactable } from '@duework/queue-core';
import type { Log } from './logs/worker-log.js';

export const ENGINE_POOL = 4;
const FIGURES_POOL = 2;

/** What the worker asks the database through; `checkDatabase` takes the same. */
export type EngineDatabase = Transactable & RawQueryable;

export interface Connections {
  /** Claims, settlements, chores. */
  readonly engine: EngineDatabase;
  /** What `/metrics` counts, which must not keep a claim waiting. It connects when it is first asked. */
  readonly figures: EngineDatabase;
  /** Closes what was opened here. */
  close(): Promise<void>;
}

/** Two pools through `pg`, or one beside the caller's Prisma client; the leases and the wake-ups have a connection each, beside them. */
export function openConnections({
  url,
  prisma,
  log,
}: {
  readonly url: string;
  /** The caller's, in place of an own pool. */
  readonly prisma: Transactable | undefined;
  readonly log: Pick<Log, 'warn'>;
}): Connections {
  const open = (purpose: string, poolSize: number, role: 'engine' | 'app') =>
    connectPg({
      url,
      poolSize,
      role,
      applicationName: `duework-worker-${purpose}`,
      onConnectionLost: (error) =>
        log.warn({ purpose, problem: describeDatabaseError(error, url).problem }, 'connection.lost'),
    });
  const own = prisma === undefined ? open('engine', ENGINE_POOL, 'engine') : undefined;
  const figures = open('figures', FIGURES_POOL, 'app');
  return {
    engine: own ?? (prisma as EngineDatabase),
    figures,
    close: async () => void (await Promise.allSettled([own?.$disconnect(), figures.$disconnect()])),
  };
}
