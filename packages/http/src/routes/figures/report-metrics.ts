import type { ApiParts, Route } from '../../api.js';
import { renderQueueMetrics } from '../../observe/render-queue-metrics.js';
import { problems } from '../../openapi/problems.js';

/** `GET /metrics`: Prometheus text; the queue's figures are read now, the others are this process's own. */
export function reportMetrics({ db, catalog, metrics }: ApiParts): Route {
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/metrics',
      operationId: 'reportMetrics',
      summary: 'Figures for Prometheus',
      responses: {
        200: {
          description: 'Also while the database is away: `duework_database_up` is 0 then.',
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
        ...problems(),
      },
    },
    async handle(c) {
      const parts = await Promise.all([renderQueueMetrics(db, catalog), metrics.registry.metrics()]);
      return c.body(parts.join('\n'), 200, { 'Content-Type': metrics.registry.contentType });
    },
  };
}
