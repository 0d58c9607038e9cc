import { z } from '@hono/zod-openapi';
import { ApiError } from '../../api-error.js';
import type { ApiParts, Route } from '../../api.js';
import { createReadinessCheck } from '../../observe/create-readiness-check.js';
import { answer } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';

/** `GET /readyz`: 200 when the database answers within a second and is migrated, and this process is not stopping. */
export function reportReadiness({ db, databaseUrl, log, isStopping }: ApiParts): Route {
  const checkReadiness = createReadinessCheck(db, databaseUrl);
  return {
    scope: 'public',
    doc: {
      method: 'get',
      path: '/readyz',
      operationId: 'reportReadiness',
      summary: 'Can it work?',
      responses: {
        200: answer('It can.', z.object({ status: z.literal('ready') })),
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
      return c.json({ status: 'ready' });
    },
  };
}
