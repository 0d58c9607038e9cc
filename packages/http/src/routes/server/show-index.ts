import { z } from '@hono/zod-openapi';
import { answerAsPageToo } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';

const LINKS = {
  console: '/console',
  jobs: '/v1/jobs',
  deadJobs: '/v1/jobs?filter=status:dead',
  contracts: '/v1/contracts',
  schedules: '/v1/schedules',
  dueTimes: '/v1/due-times',
  docs: '/docs',
  openapi: '/openapi.json',
  problems: '/problems',
  metrics: '/metrics',
  readiness: '/readyz',
  liveness: '/livez',
} as const;

/** `GET /`: links to everything, as a page for people and as JSON for programs. */
export function showIndex(): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/',
      operationId: 'showIndex',
      summary: 'Where to go from here',
      responses: {
        200: answerAsPageToo('Links.', z.object({ name: z.string(), links: z.record(z.string(), z.string()) })),
        ...problems(),
      },
    },
    handle(c) {
      c.header('Vary', 'Accept');
      const base = c.get('basePath');
      const links = Object.fromEntries(Object.entries(LINKS).map(([name, link]) => [name, base + link]));
      if (!c.req.header('accept')?.includes('text/html')) return c.json({ name: 'duework', links });
      const items = Object.values(links).map((link) => `<li><a href="${link}">${link}</a></li>`);
      c.header('Content-Security-Policy', "default-src 'none'");
      return c.html(
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>Duework API</title><h1>Duework API</h1><ul>${items.join('')}</ul></html>`,
      );
    },
  };
}
