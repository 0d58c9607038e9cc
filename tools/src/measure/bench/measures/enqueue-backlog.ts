import type { Place } from '../servers/make-place.js';
import type { Payload, System } from '../systems/system.js';

const BATCH = 1_000;
const AT_ONCE = 2;

/** The payload of the job with this id. */
export const makePayload = (id: number): Payload => ({ id, to: 'a@example.com' });

/** Enqueues jobs through the system's own call for many, unmeasured. They are due at once unless `dueAt` is given. */
export async function enqueueBacklog({
  system,
  place,
  jobs,
  dueAt,
}: {
  readonly system: System;
  readonly place: Place;
  readonly jobs: number;
  readonly dueAt?: Date;
}): Promise<void> {
  const producer = await (await system.load()).openProducer(place.url);
  try {
    let next = 0;
    const send = async (): Promise<void> => {
      while (next < jobs) {
        const first = next;
        next = Math.min(next + BATCH, jobs);
        const payloads = Array.from({ length: next - first }, (_, index) => makePayload(first + index));
        await producer.enqueueMany(payloads, { dueAt });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
  } finally {
    await producer.close();
  }
}
