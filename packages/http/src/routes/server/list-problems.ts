import { z } from '@hono/zod-openapi';
import { HTTP_ERRORS, type HttpErrorCode } from '../../http-errors.js';
import { answerAsPageToo } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import { escapeHtml } from '../../pages/escape-html.js';
import { PROBLEM_ADVICE } from '../../pages/problem-advice.js';
import { PAGE_POLICY, renderPage } from '../../pages/render-page.js';
import { explainedProblem } from './explain-problem.js';
import type { QueueRoute } from '../../queue-route.js';

/** `GET /problems`: every code with which a request can be refused. */
export function listProblems(): QueueRoute {
  const all = Object.entries(HTTP_ERRORS).map(([code, { status, title }]) => ({
    code,
    status,
    title,
    ...PROBLEM_ADVICE[code as HttpErrorCode],
  }));
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/problems',
      operationId: 'listProblems',
      summary: 'All problems',
      responses: {
        200: answerAsPageToo('Each with its explanation.', z.object({ problems: z.array(explainedProblem) })),
        ...problems(),
      },
    },
    handle(c) {
      c.header('Vary', 'Accept');
      if (!c.req.header('accept')?.includes('text/html')) return c.json({ problems: all });
      const items = all.map(
        ({ code, status, title }) =>
          `<dt><a href="${c.get('basePath')}/problems/${code}"><code>${code}</code></a>, HTTP ${status}</dt><dd>${escapeHtml(title)}</dd>`,
      );
      c.header('Content-Security-Policy', PAGE_POLICY);
      return c.html(renderPage('Problems', `<dl>${items.join('')}</dl>`));
    },
  };
}
