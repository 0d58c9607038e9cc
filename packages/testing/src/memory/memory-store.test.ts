import type { Capabilities } from '@duework/queue-core/ports';
import type { StoreHarness } from '../conformance/harness.js';
import { createFakeClock } from '../create-fake-clock.js';
import { describeStore } from '../conformance/describe-store.js';
import { createMemoryQueue } from './create-memory-queue.js';
import { MEMORY_CAPABILITIES } from './memory-store.js';

const open = async (capabilities?: Capabilities): Promise<StoreHarness> => {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock, ...(capabilities && { capabilities }) });
  return {
    store: queue.store,
    queue,
    tx: {},
    ids: { malformed: ['', '1', 'm', 'm0', 'm01', 'm-1', 'm1.5', ' m1', 'M1', 'm1e3'], unknown: 'm999' },
    passTime: (ms) => clock.advance(ms),
  };
};

describeStore('the store in memory', () => open(), MEMORY_CAPABILITIES);

/** As an engine that is no database may be: the same cases, without what it declares missing. */
const LEAST: Capabilities = {
  transactional: false,
  lists: false,
  priorities: false,
  flow: false,
  steps: false,
  batches: false,
  unique: false,
  terms: false,
  events: false,
  objects: false,
};
describeStore('a store that can do the least', () => open(LEAST), LEAST);
