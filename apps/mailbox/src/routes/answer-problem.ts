import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

export interface Problem {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

/** Answers with an RFC 9457 problem, for programs. */
export function answerProblem(c: Context, problem: Problem): Response {
  return c.body(JSON.stringify({ type: 'about:blank', ...problem }), problem.status, {
    'Content-Type': 'application/problem+json',
  });
}
