import { pauseType as pauseTypeOf } from '@duework/operate';
import type { ApiParts, Route } from '../../api.js';
import { pauseBody, readPause } from '../../http/pause-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { typeParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { pause } from '../../operate/present-pause.js';

/** `POST /v1/types/{type}/pause`: nothing of it is claimed, in any queue, until it is resumed, or its end has come. */
export function pauseType({ db, databaseUrl }: ApiParts): Route {
  return {
    scope: 'operate',
    doc: {
      method: 'post',
      path: '/v1/types/{type}/pause',
      operationId: 'pauseType',
      summary: 'Pause a type on every worker',
      parameters: [typeParameter],
      request: pauseBody.request,
      responses: {
        200: answer('The pause.', pause),
        ...problems(...pauseBody.problems, 'invalid_option', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: pauseBody.limitBytes,
    async handle(c) {
      const options = await readPause(c);
      return c.json(await retryConflicts(databaseUrl, () => pauseTypeOf(db, c.req.param('type') ?? '', options)));
    },
  };
}
