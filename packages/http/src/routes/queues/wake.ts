import { z } from '@hono/zod-openapi';
import { notifyWake } from '@duework/queue-core';
import { tickSchedules } from '@duework/schedules';
import type { ApiParts } from '../../api.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { mergeWoken } from '../../shards/merges.js';
import { everywhere } from '../../shards/plans/merged.js';

const woken = z
  .object({
    fired: z.int().describe('Due times that are runs now.'),
    skipped: z.int(),
    waiting: z.int().describe('Due times that wait for a run to end.'),
    nextTickInMs: z.int().nullable().describe('Until a schedule is due again; null: never, as things are.'),
  })
  .openapi('Woken');

/**
 * `POST /v1/wake`: ticks, and wakes the workers that listen. It is for platforms that call a URL; calls that overlap or
 * come too often are harmless, because the database decides what is due.
 */
export function wake({ db, databaseUrl, catalog, log }: ApiParts): QueueRoute {
  return {
    scope: 'operate',
    over: needsDatabase('There are no schedules to tick, and the workers of this queue wake by themselves.'),
    shards: everywhere<z.output<typeof woken>>(mergeWoken),
    doc: {
      method: 'post',
      path: '/v1/wake',
      operationId: 'wake',
      summary: 'Tick the schedules and wake the workers',
      responses: { 200: answer('What it did.', woken), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      const emit: Parameters<typeof tickSchedules>[0]['emit'] = (event) => {
        if (event.name === 'schedule.failed')
          log.error({ schedule: event.schedule, type: event.type, code: event.code }, event.name);
      };
      const report = await retryConflicts(databaseUrl, () => tickSchedules({ db, catalog, worker: 'api', emit }));
      await notifyWake(db);
      return c.json(report);
    },
  };
}
