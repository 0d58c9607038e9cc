import { type Act, DueworkError, type Queryable } from '@duework/queue-core';
import { checkAct, slotsOf } from '@duework/queue-core/internals';
import { checkName } from '@duework/sql';
import type { ResizedWorker, SlotsChange } from './slots-change.js';
import { findResizable } from './sql/find-resizable.js';
import { writeSlots } from './sql/write-slots.js';

/** As many as CONCURRENCY takes. */
const MOST = 1_000;

/**
 * Sets how many handlers each worker of a queue runs at once, whatever deploys declare, until you take it back with null. Workers
 * follow within seconds; if it is fewer, what runs goes on, and nothing begins above. A worker of several such queues runs the
 * least that is set for one of them. Returns what it does to the workers that live. Throws `invalid_option`.
 */
export async function changeSlots(
  db: Queryable,
  queue: string,
  slots: number | null,
  act: Act = {},
): Promise<SlotsChange> {
  checkAct(act);
  const change = await previewSlots(db, queue, slots);
  await writeSlots(db, queue, slots, act);
  return change;
}

/** Says what such a change would do. Throws what `changeSlots` throws. */
export async function previewSlots(db: Queryable, queue: string, slots: number | null): Promise<SlotsChange> {
  checkName('queue', queue, 63);
  if (queue === '') throw new DueworkError('invalid_option', { option: 'queue', expected: 'a name', value: queue });
  if (slots !== null && !(Number.isInteger(slots) && slots >= 1 && slots <= MOST))
    throw new DueworkError('invalid_option', {
      option: 'slots',
      expected: `a whole number from 1 to ${MOST}`,
      value: slots,
    });
  const { workers, changed, maxConnections } = await findResizable(db, queue);
  const { [queue]: _, ...others } = changed;
  const becomes = slots === null ? others : { ...others, [queue]: slots };
  const resized = workers.map(({ name, queues, declared }): ResizedWorker => ({
    name,
    declared,
    before: slotsOf(queues, changed, declared),
    after: slotsOf(queues, becomes, declared),
  }));
  const sum = (when: 'before' | 'after'): number => resized.reduce((all, worker) => all + (worker[when] ?? 0), 0);
  return { queue, slots, workers: resized, before: sum('before'), after: sum('after'), maxConnections };
}
