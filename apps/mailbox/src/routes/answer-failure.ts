import type { Context } from 'hono';
import type { Logger } from 'pino';
import { renderMessage } from '../pages/render-message.js';
import { answerProblem } from './answer-problem.js';

/** Answers 500 for an unexpected error; the reason is in the log, not in the answer. */
export function answerFailure(c: Context, error: Error, log: Logger): Response | Promise<Response> {
  log.error({ method: c.req.method, path: c.req.path, reason: error.message }, 'request.failed');
  const detail = 'The mailbox could not answer; its log has the reason.';
  if (!c.req.path.startsWith('/api/')) return c.html(renderMessage('Something went wrong', detail), 500);
  return answerProblem(c, { status: 500, code: 'internal', title: 'Something went wrong', detail });
}
