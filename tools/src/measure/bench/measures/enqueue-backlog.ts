import type { Place } from '../servers/make-place.js';
import type { Lane, Payload, System } from '../systems/system.js';

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
  lane,
  makeJob = makePayload,
  atOnce = AT_ONCE,
}: {
  readonly system: System;
  readonly place: Place;
  readonly jobs: number;
  readonly dueAt?: Date;
  readonly lane?: Lane | undefined;
  /** The payload of the job with this number. */
  readonly makeJob?: ((id: number) => Payload) | undefined;
  /** Batches at once; 2 unless given. */
  readonly atOnce?: number | undefined;
}): Promise<void> {
  const producer = await (await system.load()).openProducer(place.url, lane);
  try {
    let next = 0;
    const send = async (): Promise<void> => {
      while (next < jobs) {
        const first = next;
        next = Math.min(next + BATCH, jobs);
        const payloads = Array.from({ length: next - first }, (_, index) => makeJob(first + index));
        await producer.enqueueMany(payloads, { dueAt });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, send));
  } finally {
    await producer.close();
  }
}
