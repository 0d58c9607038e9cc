import type { BulkAction, BulkRequest } from '@duework/operate';
import type { BulkLook, BulkOperations } from './bulk-operations.js';
import type { Ask } from './ask.js';

const ofAction = (id: string, verb = ''): string => `/v1/bulk-actions/${encodeURIComponent(id)}${verb}`;

/** Bulk actions on an API, which steps them itself. */
export const bulkOverHttp = (ask: Ask): BulkOperations => ({
  preview: (request) => ask<BulkLook>('POST', '/v1/bulk-actions/preview', { body: toBody(request), timeoutMs: 60_000 }),
  start: (request, reason) =>
    ask<BulkAction>('POST', '/v1/bulk-actions', {
      body: { ...toBody(request), reason },
      timeoutMs: 60_000,
      isRepeatable: true,
    }),
  get: (id) => ask<BulkAction>('GET', ofAction(id)),
  list: async (limit) =>
    (await ask<{ actions: BulkAction[] }>('GET', '/v1/bulk-actions', { query: { limit } })).actions,
  abort: (id, reason) => ask<BulkAction>('POST', ofAction(id, '/abort'), { body: { reason } }),
  undo: (id, reason) => ask<BulkAction>('POST', ofAction(id, '/undo'), { body: { reason } }),
  step: async () => {},
});

function toBody(request: BulkRequest): object {
  if (request.verb !== 'reschedule') return request;
  const { spreadMs, ...same } = request;
  return { ...same, ...(spreadMs === undefined ? {} : { spreadSeconds: Math.round(spreadMs / 1_000) }) };
}
