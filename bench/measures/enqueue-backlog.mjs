import { loadAdapter } from '../systems/find-system.mjs';

const BATCH = 1_000;
const AT_ONCE = 2;

export const makePayload = (id) => ({ id, to: 'a@example.com' });

/** Puts jobs into a queue through the system's own bulk door; not measured. */
export async function enqueueBacklog({ system, place, jobs, dueAt }) {
  const producer = await (await loadAdapter(system.name)).openProducer(place.url);
  try {
    let next = 0;
    const send = async () => {
      while (next < jobs) {
        const first = next;
        next = Math.min(next + BATCH, jobs);
        await producer.enqueueMany(
          Array.from({ length: next - first }, (_, index) => makePayload(first + index)),
          { dueAt },
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
  } finally {
    await producer.close();
  }
}
