import { catalog } from '@duework/shop';
import { connectPg, type PrismaClient } from '@duework/database';
import { createPostgresStore, createWorker, systemClock, type EmitEvent, type WorkerEvent } from '@duework/queue-core';
import { pino } from 'pino';
import { bindDatabase } from '../../bind-database.js';
import { createHandlers, type HandlerOptions } from '../create-handlers.js';
import { createMailSender } from '../send-mail-once.js';
import { resolveHost } from '../webhook/resolve-target.js';

export interface TestWorker {
  readonly events: readonly WorkerEvent[];
  /** Resolves with the first event of these names about the job, emitted before or after this call. */
  event<TName extends WorkerEvent['name']>(
    id: string,
    ...names: TName[]
  ): Promise<Extract<WorkerEvent, { name: TName }>>;
  /** Resolves with the job's first final event, which says how it ended. */
  end(id: string): Promise<Extract<WorkerEvent, { name: 'job.succeeded' | 'job.dead' | 'job.cancelled' }>>;
  stop(): Promise<void>;
}

export interface TestWorkerOptions {
  readonly db: PrismaClient;
  readonly url: string;
  readonly smtpUrl?: string;
  readonly tempDir?: string;
  readonly webhook?: Partial<HandlerOptions['webhook']>;
  readonly emit?: EmitEvent;
}

/** Starts a worker with the real handlers in this process. */
export async function startTestWorker({
  db,
  url,
  smtpUrl = 'smtp://127.0.0.1:9',
  tempDir = '/nonexistent',
  webhook,
  emit,
}: TestWorkerOptions): Promise<TestWorker> {
  const engineDb = connectPg({ url, poolSize: 4 });
  const events: WorkerEvent[] = [];
  const watchers = new Set<() => void>();
  const worker = createWorker({
    name: 'tester',
    store: createPostgresStore({ db: engineDb }),
    catalog,
    middleware: bindDatabase({ db, cancelThrough: engineDb, catalog, clock: systemClock }),
    handlers: createHandlers({
      sendMailOnce: createMailSender({ smtpUrl, from: 'Shop <shop@example.com>' }),
      apiUrl: 'http://127.0.0.1:9',
      cleanup: { tempDir, maxFileAgeHours: 24, now: () => new Date() },
      webhook: {
        secret: 'a secret of the tests',
        isPrivateAllowed: true,
        timeoutMs: 10_000,
        resolve: resolveHost,
        now: () => new Date(),
        ...webhook,
      },
    }),
    emit(event) {
      events.push(event);
      emit?.(event);
      for (const watch of [...watchers]) watch();
    },
    logOf: () => pino({ level: 'silent' }),
    pollIntervalMs: 20,
    maintenance: { rescueIntervalMs: 100 },
  });
  await worker.start();

  function event<TName extends WorkerEvent['name']>(
    id: string,
    ...names: TName[]
  ): Promise<Extract<WorkerEvent, { name: TName }>> {
    return new Promise((resolve) => {
      const watch = (): void => {
        const found = events.find(
          (candidate) => (names as string[]).includes(candidate.name) && 'run' in candidate && candidate.run.id === id,
        );
        if (found === undefined) return;
        watchers.delete(watch);
        resolve(found as Extract<WorkerEvent, { name: TName }>);
      };
      watchers.add(watch);
      watch();
    });
  }

  return {
    events,
    event,
    end: (id) => event(id, 'job.succeeded', 'job.dead', 'job.cancelled'),
    async stop() {
      await worker.stop({ deadlineMs: 0 });
      await engineDb.$disconnect();
    },
  };
}
