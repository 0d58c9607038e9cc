import { announceContracts } from '../maintenance/maintain.js';
import { startNow } from '../run/start-runs.js';
import type { Engine } from './engine.js';

/** Runs so many handlers at once from now on, and says so. Loaded once somebody has changed how many. */
export async function resize(engine: Engine, slots: number): Promise<void> {
  const { owned, emit, name: worker } = engine;
  const { concurrency: before, declared } = owned;
  // it was asked for again while this was loaded
  if (slots === before) return;
  owned.concurrency = slots;
  owned.wake();
  emit({ name: 'worker.resized', worker, slots, before, declared });
  startNow(engine);
  await announceContracts(engine);
}
