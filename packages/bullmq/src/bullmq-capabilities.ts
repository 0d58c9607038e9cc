import type { Capabilities } from '@duework/queue-core/ports';
export const BULLMQ_CAPABILITIES: Capabilities = { transactional: false, lists: true, priorities: true, flow: false, steps: false, batches: false, unique: false, terms: false };
