import { resumeType as resumeTypeOf } from '@duework/operate';
import type { ApiParts, Route } from '../../api.js';
import { readAct, reasonBody } from '../../http/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { typeParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { resumed } from '../../operate/present-pause.js';

/** `POST /v1/types/{type}/resume`: its runs start again at once. */
export function resumeType({ db, databaseUrl }: ApiParts): Route {
  return {
    scope: 'operate',
    doc: {
      method: 'post',
      path: '/v1/types/{type}/resume',
      operationId: 'resumeType',
      summary: 'Resume a type',
      parameters: [typeParameter],
      request: reasonBody.request,
      responses: {
        200: answer('What has ended.', resumed),
        ...problems(...reasonBody.problems, 'invalid_option', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const act = await readAct(c);
      const name = c.req.param('type') ?? '';
      return c.json({ pause: await retryConflicts(databaseUrl, () => resumeTypeOf(db, name, act)) });
    },
  };
}
