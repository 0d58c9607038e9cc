import { pauseQueue as pauseQueueOf } from '@duework/operate';
import type { ApiParts, Route } from '../../api.js';
import { pauseBody, readPause } from '../../http/pause-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { queueParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { pause } from '../../operate/present-pause.js';

/** `POST /v1/queues/{queue}/pause`: nothing of it is claimed until it is resumed, or its end has come. */
export function pauseQueue({ db, databaseUrl }: ApiParts): Route {
  return {
    scope: 'operate',
    doc: {
      method: 'post',
      path: '/v1/queues/{queue}/pause',
      operationId: 'pauseQueue',
      summary: 'Pause a queue on every worker',
      parameters: [queueParameter],
      request: pauseBody.request,
      responses: {
        200: answer('The pause.', pause),
        ...problems(...pauseBody.problems, 'invalid_option', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: pauseBody.limitBytes,
    async handle(c) {
      const options = await readPause(c);
      return c.json(await retryConflicts(databaseUrl, () => pauseQueueOf(db, c.req.param('queue') ?? '', options)));
    },
  };
}
