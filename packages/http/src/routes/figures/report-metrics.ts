import type { ApiParts } from '../../api.js';
import { renderQueueMetrics } from '../../observe/render-queue-metrics.js';
import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { metricsOf as overQueue } from '../../over-queue/report-health.js';
import { metricsOf } from '../../shards/plans/server.js';

/** `GET /metrics`: Prometheus text; the queue's figures are read now, the others are this process's own. */
export function reportMetrics(parts: ApiParts): QueueRoute {
  const { db, catalog, metrics } = parts;
  return {
    scope: 'read',
    over: overQueue(parts),
    shards: metricsOf(parts),
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
