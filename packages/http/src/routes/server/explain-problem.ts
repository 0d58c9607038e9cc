import { z } from '@hono/zod-openapi';
import { ApiError } from '../../api-error.js';
import { HTTP_ERRORS, type HttpErrorCode } from '../../http-errors.js';
import { answerAsPageToo } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import { escapeHtml } from '../../pages/escape-html.js';
import { PROBLEM_ADVICE } from '../../pages/problem-advice.js';
import { PAGE_POLICY, renderPage } from '../../pages/render-page.js';
import type { QueueRoute } from '../../queue-route.js';

const ERRORS_PAGE = 'https://github.com/duework/duework/blob/main/docs/look-up/errors.md';
const codes = Object.keys(HTTP_ERRORS) as HttpErrorCode[];

/** What a code means, and what to do about it. */
export const explainedProblem = z
  .object({ code: z.string(), status: z.int(), title: z.string(), means: z.string(), fix: z.string() })
  .openapi('ExplainedProblem');

/** `GET /problems/{code}`: what a problem means and what to do; its `type` points here. A page for people, JSON for programs. */
export function explainProblem(): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/problems/{code}',
      operationId: 'explainProblem',
      summary: 'What a problem means, and what to do',
      parameters: [{ name: 'code', in: 'path', required: true, schema: { type: 'string', enum: codes } }],
      responses: { 200: answerAsPageToo('Its explanation.', explainedProblem), ...problems('not_found') },
    },
    handle(c) {
      const code = c.req.param('code') ?? '';
      if (!Object.hasOwn(HTTP_ERRORS, code))
        throw new ApiError('not_found', `No problem has this code; GET ${c.get('basePath')}/problems has all of them.`);
      const { status, title } = HTTP_ERRORS[code as HttpErrorCode];
      const { means, fix } = PROBLEM_ADVICE[code as HttpErrorCode];
      c.header('Vary', 'Accept');
      if (!c.req.header('accept')?.includes('text/html')) return c.json({ code, status, title, means, fix });
      c.header('Content-Security-Policy', PAGE_POLICY);
      return c.html(
        renderPage(
          title,
          `<p><code>${code}</code>, HTTP ${status}</p><dl><dt>What it means</dt><dd>${escapeHtml(means)}</dd><dt>What to do</dt><dd>${escapeHtml(fix)}</dd></dl><p><a href="${ERRORS_PAGE}#${code}">Documentation</a> · <a href="${c.get('basePath')}/problems">All problems</a></p>`,
        ),
      );
    },
  };
}
