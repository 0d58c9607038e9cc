import { z } from '@hono/zod-openapi';
import { ApiError } from '../../api-error.js';
import type { ApiParts } from '../../api.js';
import { createReadinessCheck, createWorkerCheck } from '../../observe/create-readiness-check.js';
import { answer } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { readiness as overQueue } from '../../over-queue/report-health.js';
import { readiness } from '../../shards/plans/server.js';

/** What is wrong beside this process: it can work, and is to be sent requests. */
const warning = z.object({
  code: z.literal('no_worker'),
  waiting: z.int().describe('Due jobs that wait, of the first 1,000 of each queue and priority.'),
  message: z.string().openapi({ example: 'No worker is running, and 12 due jobs wait.' }),
});

/**
 * `GET /readyz`: 200 when the database answers within a second and is migrated, and this process is not stopping. That no
 * worker runs is a warning: to take the API away, too, would help nobody.
 */
export function reportReadiness(parts: ApiParts): QueueRoute {
  const { db, databaseUrl, log, isStopping } = parts;
  const checkReadiness = createReadinessCheck(db, databaseUrl);
  const countWaiting = createWorkerCheck(db);
  return {
    scope: 'public',
    over: overQueue(parts),
    shards: readiness(parts),
    doc: {
      method: 'get',
      path: '/readyz',
      operationId: 'reportReadiness',
      summary: 'Can it work?',
      responses: {
        200: answer('It can.', z.object({ status: z.literal('ready'), warning: warning.optional() })),
        ...problems('not_ready', 'stopping'),
      },
    },
    async handle(c) {
      if (isStopping()) throw new ApiError('stopping', 'This process is finishing its last requests.');
      await checkReadiness().catch((error: Error) => {
        // The address of the database is for the log, not for the client.
        log.warn({ reason: error.message }, 'readiness.failed');
        throw new ApiError('not_ready', 'The database does not answer, or lacks a migration; the log has the reason.', {
          headers: { 'Retry-After': '1' },
        });
      });
      const waiting = await countWaiting();
      if (waiting === null) return c.json({ status: 'ready' });
      return c.json({ status: 'ready', warning: { code: 'no_worker', waiting, message: describeWaiting(waiting) } });
    },
  };
}

function describeWaiting(waiting: number): string {
  if (waiting === 0) return 'No worker is running.';
  return `No worker is running, and ${waiting === 1 ? '1 due job waits' : `${waiting} due jobs wait`}.`;
}
