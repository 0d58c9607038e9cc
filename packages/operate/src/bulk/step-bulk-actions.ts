import type { Catalog } from '@duework/contracts';
import { systemClock, type Queryable } from '@duework/queue-core';
import { currentKeyRing, inBatches, pause } from '@duework/queue-core/internals';
import { findNextStep } from './sql/find-bulk-actions.js';
import { forgetUndos } from './sql/forget-undos.js';
import { postponeBulkAction } from './sql/postpone-bulk-action.js';

/** How long to wait where another worker is taking the next step. */
const TAKEN_MS = 100;
/** The longest wait for an action's next step; then the worker does something else and looks again later. */
const MAX_WAIT_MS = 2_000;

/**
 * Moves actions on, step by step, until none is left or `signal` aborts. Any number of processes may do so at once, and any
 * may die: a step is one statement, and the next one begins where the last has ended. Edits of payloads are for those that
 * have the contract in their catalog, and a key ring where one is needed. Returns how many jobs it has changed.
 */
export async function stepBulkActions(db: Queryable, catalog: Catalog, signal: AbortSignal): Promise<number> {
  const types = catalog.map(({ type }) => type);
  let done = 0;
  while (!signal.aborted) {
    const action = await findNextStep(db, types, currentKeyRing() !== null);
    if (action === null) break;
    if (action.waitMs > 0) {
      await pause(systemClock, Math.min(action.waitMs, MAX_WAIT_MS), signal);
      continue;
    }
    try {
      // all that acts is loaded when there is something to do, which most workers never have
      const { takeNextStep } = await import('./take-next-step.js');
      const step = await takeNextStep(db, catalog, action);
      if (step === null) await pause(systemClock, TAKEN_MS, signal);
      else done += step.done;
    } catch (error) {
      await postponeBulkAction(db, action.id);
      throw error;
    }
  }
  await inBatches(signal, (batch) => forgetUndos(db, batch));
  return done;
}
