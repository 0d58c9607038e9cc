import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { HTTP_ERRORS } from '../../http-errors.js';
import type { ApiContext } from '../../api.js';
import type { Problem } from './to-problem.js';

/** Answers with a problem: `application/problem+json`, RFC 9457. */
export function answerProblem(c: ApiContext, { code, detail, errors, headers }: Problem): Response {
  const { status, title } = HTTP_ERRORS[code];
  const body = {
    type: `${c.get('basePath')}/problems/${code}`,
    title,
    status,
    detail,
    code,
    errors,
    requestId: c.get('requestId'),
  };
  return c.body(JSON.stringify(body), status satisfies ContentfulStatusCode, {
    ...headers,
    'Content-Type': 'application/problem+json',
  });
}
