import type { Capabilities } from '@duework/queue-core/ports';

/** What BullMQ on Redis can do; what it cannot is refused with `not_supported`. */
export const BULLMQ_CAPABILITIES: Capabilities = {
  transactional: false,
  lists: true,
  priorities: true,
  flow: false,
  steps: false,
  batches: false,
  unique: false,
  terms: true,
};
