import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, beforeEach } from '@jest/globals';
import { z } from 'zod';
import { systemClock, type Clock } from '@duework/queue-core/handling';
import type { HandlerLog, Handlers, Worker, WorkerOptions } from '@duework/queue-core';
import { type EventRecord, startTestWorker } from '@duework/testing';
import { emptyTables, type TestDatabaseHandle, useTestDatabase } from '@duework/testing/fixtures';
import { isolated } from '../isolated.js';

const LIMIT_MS = 7 * 60_000;
const common = { retry: fixed('1ms'), maxAttempts: 2, timeout: '7m' } as const;

/** Does in a thread what its payload says; see fixtures/act.mjs. Its time limit is over when a test says so. */
export const act = defineJob({
  ...common,
  type: 'act',
  version: 2,
  payload: z.object({ act: z.string() }),
  past: { 1: { payload: z.string(), lift: (name) => ({ act: name }) } },
  isolate: { memoryMb: 64 },
});
export const oldAct = defineJob({ ...common, type: 'act', payload: z.string() });
export const effects = defineJob({
  ...common,
  type: 'effects',
  payload: z.object({ act: z.string(), file: z.string() }),
  isolate: {},
});
export const bare = defineJob({ ...common, type: 'bare', payload: z.object({}), isolate: {} });
export const plain = defineJob({ ...common, type: 'plain', payload: z.object({}) });
export const catalog = defineCatalog([act, effects, bare, plain]);

const handlers: Handlers<typeof catalog> = {
  act: isolated(new URL('../fixtures/act.mjs', import.meta.url)),
  effects: isolated(new URL('../fixtures/once.mjs', import.meta.url)),
  bare: isolated(new URL('../fixtures/bare.mjs', import.meta.url)),
  plain: () => {},
};

export interface LoggedLine {
  readonly level: keyof HandlerLog;
  readonly facts: Record<string, unknown>;
  readonly message: string | undefined;
}

export interface IsolatedWorker {
  readonly worker: Worker;
  readonly events: EventRecord;
  readonly lines: readonly LoggedLine[];
  /** Resolves with the `count`th log line that has this message. */
  logged(message: string, count?: number): Promise<LoggedLine>;
  /** Ends the time limit of every attempt that runs now. */
  hitLimit(): void;
}

type More = Partial<Omit<WorkerOptions<typeof catalog>, 'handlers'>> & {
  readonly handlers?: Partial<Handlers<typeof catalog>>;
};

/** Real workers with isolated handlers on a real database; call it at the top of a file. */
export function useIsolatedWorker(): { database: TestDatabaseHandle; start: (more?: More) => Promise<IsolatedWorker> } {
  const database = useTestDatabase();
  const workers: Worker[] = [];
  beforeEach(async () => {
    await emptyTables(database.db, 'job_runs, job_history, job_attempts, job_effects');
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  });
  return {
    database,
    async start({ handlers: given, ...more } = {}) {
      const { clock, hitLimit } = limitByHand();
      const { log, ...logged } = recordLines();
      const started = await startTestWorker<typeof catalog>(database.db, {
        catalog,
        handlers: { ...handlers, ...given },
        clock,
        logOf: () => log,
        ...more,
      });
      workers.push(started.worker);
      return { ...started, ...logged, hitLimit };
    },
  };
}

/**
 * The real clock, except for the contracts' time limit, so that no test depends on how fast a thread starts. An attempt
 * that has just begun sets its timer within its turn of the event loop.
 */
function limitByHand(): { clock: Clock; hitLimit: () => void } {
  const limits = new Set<() => void>();
  const after: Clock['after'] = (ms, callback) => {
    if (ms > LIMIT_MS || ms < LIMIT_MS - 60_000) return systemClock.after(ms, callback);
    limits.add(callback);
    return () => void limits.delete(callback);
  };
  return {
    clock: { ...systemClock, after },
    hitLimit: () => void setImmediate(() => [...limits].forEach((hit) => hit())),
  };
}

function recordLines(): { log: HandlerLog; lines: LoggedLine[]; logged: IsolatedWorker['logged'] } {
  const lines: LoggedLine[] = [];
  const watchers = new Set<() => void>();
  const write =
    (level: keyof HandlerLog) =>
    (facts: object, message?: string): void => {
      lines.push({ level, facts: facts as Record<string, unknown>, message });
      for (const look of [...watchers]) look();
    };
  return {
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    lines,
    logged: (message, count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = lines.filter((line) => line.message === message)[count - 1];
          if (found === undefined) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
  };
}
