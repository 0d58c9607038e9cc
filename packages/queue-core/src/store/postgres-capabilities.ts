import type { Capabilities } from '../ports/store.js';

export const POSTGRES_CAPABILITIES: Capabilities = {
  transactional: true,
  lists: true,
  priorities: true,
  flow: true,
  steps: true,
  batches: true,
  unique: true,
  terms: true,
  events: true,
  objects: true,
};
