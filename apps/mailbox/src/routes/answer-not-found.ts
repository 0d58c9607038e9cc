import type { Context } from 'hono';
import { renderMessage } from '../pages/render-message.js';
import { answerProblem } from './answer-problem.js';

/** Answers 404: a problem under /api, a small page for people everywhere else. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  if (c.req.path.startsWith('/api/')) {
    const detail = 'There is nothing at this address; the mail may have been cleared.';
    return answerProblem(c, { status: 404, code: 'not_found', title: 'Not found', detail });
  }
  return c.html(renderMessage('Not found', 'There is nothing at this address. The mail may have been cleared.'), 404);
}
