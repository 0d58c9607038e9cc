import type { Queues } from '../redis/queues.js';
import { scanLive } from '../operate/scan-live.js';
import { readContracts } from '../upkeep/known-contracts.js';

/** What BullMQ takes before all others that have a priority of ours. */
const FIRST = 1;

/** Takes before all others the runs that have waited for longer than their contracts' `maxWait`; returns how many. */
export async function raiseWaiting(queues: Queues): Promise<number> {
  const contracts = await readContracts(queues);
  const nowMs = Date.now();
  const late = (await scanLive(queues))
    .flatMap(({ runs }) => runs)
    .filter(({ type, status, priority, runAtMs }) => {
      const maxWaitMs = contracts.get(type)?.maxWaitMs ?? Infinity;
      return status !== 'running' && priority > 0 && runAtMs <= nowMs - maxWaitMs;
    });
  await Promise.all(late.map(({ queue, id }) => queues.of(queue).changePriority(id, FIRST)));
  return late.length;
}
