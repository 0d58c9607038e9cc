/**
 * Compiled, never run: what must be a compile error is marked as one, and an unused mark is an error itself.
 */
import { defineJob } from '@duework/contracts';
import { z } from 'zod';
import type { JobQueue } from '@duework/queue-core';
import type { EnqueuedJob } from '@duework/queue-core/ports';
import { createMemoryQueue } from './create-memory-queue.js';

const mail = defineJob({ type: 'mail', payload: z.object({ to: z.string() }) });

// a queue that waits or refuses is a queue like the database's
export const waits: JobQueue = createMemoryQueue();
export const refuses: JobQueue = createMemoryQueue({ whenFull: 'refuse' });
// @ts-expect-error one that drops may answer null
export const drops: JobQueue = createMemoryQueue({ whenFull: 'drop' });

const dropping = createMemoryQueue({ capacity: 10, whenFull: 'drop' });
export const job: Promise<EnqueuedJob | null> = dropping.enqueue(mail, { to: 'ada' });
// @ts-expect-error null has to be looked at
export const id: Promise<string> = dropping.enqueue(mail, { to: 'ada' }).then((enqueued) => enqueued.id);
export const sure: Promise<string> = createMemoryQueue()
  .enqueue(mail, { to: 'ada' })
  .then((enqueued) => enqueued.id);
// @ts-expect-error the payload of another type
void waits.enqueue(mail, { day: '2026-01-01' });
