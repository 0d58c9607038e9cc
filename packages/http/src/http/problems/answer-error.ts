import { describeDatabaseError } from '@duework/database';
import type { HttpLog } from '../../observe/http-log.js';
import type { ApiContext } from '../../api.js';
import { answerProblem } from './answer-problem.js';
import { toProblem } from './to-problem.js';

/**
 * Answers an error that a route threw. An error that is not the client's is logged, with the id that the client sees.
 */
export function answerError(c: ApiContext, error: unknown, log: HttpLog, databaseUrl: string | undefined): Response {
  const problem = toProblem(error, databaseUrl);
  const { code } = problem;
  const requestId = c.get('requestId');
  if (code === 'internal_error') log.error({ requestId, err: error }, 'request.failed');
  if (code === 'permission_denied') log.error({ requestId, code, reason: (error as Error).message }, 'request.refused');
  if (code === 'database_unavailable' || code === 'database_busy') {
    log.warn({ requestId, code, reason: describeDatabaseError(error, databaseUrl).problem }, 'request.refused');
  }
  return answerProblem(c, problem);
}
