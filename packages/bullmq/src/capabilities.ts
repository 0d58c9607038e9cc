import type { Capabilities } from '@duework/queue-core/ports';

/** The capabilities of BullMQ on Redis; others are refused with `not_supported`. */
export const BULLMQ_CAPABILITIES: Capabilities = {
  transactional: false,
  lists: true,
  priorities: true,
  flow: false,
  steps: false,
  batches: false,
  unique: false,
  events: false,
  terms: true,
  objects: false,
};
