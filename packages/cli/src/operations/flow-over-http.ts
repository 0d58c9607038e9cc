import type { FlowClient } from '@duework/client';
import type { FlowOperations } from './flow-operations.js';

export function flowOverHttp(flow: FlowClient): FlowOperations {
  return {
    list: () => flow.list(),
    keys: (rule, { limit, after }) => flow.keys(rule, { limit, cursor: after ?? undefined }),
    preview: (rule, change) => flow.preview(rule, change),
    change: (rule, change, reason) => flow.change(rule, change, { reason }),
    close: (key, duration, reason) => flow.close(key, duration, { reason }),
    open: (key, reason) => flow.open(key, { reason }),
  };
}
