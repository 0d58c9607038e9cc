import { ApiError } from '../api-error.js';
import { renderDepths } from '../observe/render-queue-metrics.js';
import { within } from '../within.js';
import type { Plan, QueueParts } from './plan.js';

const READY_MS = 1_000;
const METRICS_MS = 2_000;

/** Ready while the queue answers: its pauses are the least that it can be asked for. */
export const readiness = ({ queue, log, isStopping }: QueueParts): Plan => ({
  says: 'Ready: the queue answers within a second.',
  async handle(c) {
    if (isStopping()) throw new ApiError('stopping', 'This process is finishing its last requests.');
    await within(READY_MS, queue.listPauses()).catch((error: Error) => {
      log.warn({ reason: error.message }, 'readiness.failed');
      throw new ApiError('not_ready', 'The queue does not answer; the log has the reason.', {
        headers: { 'Retry-After': '1' },
      });
    });
    return c.json({ status: 'ready' });
  },
});

/** What waits and runs, and the figures of this process. */
export const metricsOf = ({ queue, catalog, metrics }: QueueParts): Plan => ({
  says: 'Also while the queue is away: `duework_queue_up` is 0 then.',
  async handle(c) {
    const depths = await within(METRICS_MS, queue.queueDepth()).catch(() => null);
    const parts = await Promise.all([renderDepths(depths, catalog), metrics.registry.metrics()]);
    return c.body(parts.join('\n'), 200, { 'Content-Type': metrics.registry.contentType });
  },
});
